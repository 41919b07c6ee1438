// One application beside the board: what was applied for, what happened, and what staff can do with it now.
import { useParams } from '@tanstack/react-router';
import { useAsk } from '../graph/ask';
import { Chip, stateWord } from '../kit/chip';
import { CopyId } from '../kit/copy-id';
import { Covered } from '../kit/covered';
import { Facts, Section } from '../kit/facts';
import { Go } from '../kit/go';
import kit from '../kit/kit.module.css';
import { printMoney } from '../kit/money';
import { Drawer } from '../kit/overlays';
import { countryName, languageName } from '../kit/place-names';
import { Empty, RefusedNote, SkeletonLines, Stale } from '../kit/states';
import { type Moment, Timeline } from '../kit/timeline';
import { toneOf } from '../kit/tone';
import { When } from '../kit/when';
import { useReadOnThing } from '../live/read-on';
import { Actor } from '../shell/actors';
import { useAddress } from '../shell/address';
import { locale, words } from '../strings/language';
import { ApplicationActs } from './application-acts';
import type { ShownApplication } from './life';
import style from './onboarding.module.css';
import { ApplicationAccount, ApplicationLife } from './queries';

const way = ['INITIATED', 'AWAITING_SIGNATURE', 'PROCESSING', 'APPROVED'] as const;

export function ApplicationDrawer() {
  const { applicationId: id } = useParams({ strict: false }) as { applicationId: string };
  const { open, hrefOf } = useAddress();
  const text = words().onboarding;
  const { data, readAt, error, again, isOld } = useAsk(ApplicationLife, { id });
  const application = data?.onboardingApplication;
  useReadOnThing({ kinds: ['onboarding', 'callbacks'], id, merchantId: null }, again);
  return (
    <Drawer
      of={id}
      title={text.one}
      name={application?.name}
      actions={<CopyId id={id} />}
      onClose={() => open(hrefOf('/onboarding'))}
    >
      {application ? (
        <>
          <div className={kit.lead}>
            <strong>{application.name}</strong>
            <Chip state={application.status} />
          </div>
          <Steps status={application.status} />
          <ApplicationActs application={application} again={again} />
          <Details application={application} />
          <Section title={text.timeline}>
            <Timeline moments={momentsOf(application)} />
          </Section>
        </>
      ) : null}
      {data && !application ? <Empty title={text.unknown} /> : null}
      {error && !data ? <RefusedNote error={error} retry={again} /> : null}
      {isOld ? <Stale readAt={readAt} retry={again} /> : null}
      {!data && !error ? <SkeletonLines count={10} /> : null}
    </Drawer>
  );
}

function Steps({ status }: { status: string }) {
  if (status === 'ABANDONED') return null;
  const reached = status === 'SIGNATURE_FAILED' ? 1 : way.indexOf(status as (typeof way)[number]);
  return (
    <ol className={style.steps}>
      {way.map((step, place) => (
        <li key={step} className={style.step} data-reached={place <= reached}>
          {stateWord(step)}
        </li>
      ))}
    </ol>
  );
}

function Details({ application }: { application: ShownApplication }) {
  const text = words().onboarding;
  const { company, webshop, bankAccount, merchant, quote } = application;
  const masked = bankAccount?.ibanMasked;
  const person = company.contactPerson;
  const address = [company.companyAddress, company.zipCode, company.city, countryName(application.country)]
    .filter(Boolean)
    .join(', ');
  return (
    <>
      <Facts
        rows={[
          [text.organization, company.organizationNumber],
          [text.vat, company.vatNumber],
          [text.address, address],
          [text.contact, [person?.firstName, person?.lastName].filter(Boolean).join(' ')],
          [text.email, person?.email],
          [text.phone, person?.phone],
          [text.webshop, [webshop?.name, webshop?.url].filter(Boolean).join(' · ')],
          [text.bank, masked ? <Account key="iban" masked={masked} of={application.id} /> : null],
          [words().payouts.bic, bankAccount?.swift],
          [text.products, application.productCodes.join(', ')],
          [
            text.merchantId,
            merchant ? (
              <Go key="m" to={`/merchants/${merchant.merchantId}`}>
                {merchant.name}
              </Go>
            ) : (
              application.merchantId
            ),
          ],
          [text.language, languageName(application.language)],
          [text.signedBy, application.signedBy],
          [text.signedAt, application.signedAt ? <When key="s" at={application.signedAt} shape="exact" /> : null],
          [text.failures, application.signatureFailures > 0 ? String(application.signatureFailures) : null],
          [
            text.linkUntil,
            application.linkExpiresAt ? <When key="l" at={application.linkExpiresAt} shape="exact" /> : null,
          ],
          [text.approvedBy, application.approval ? <Actor key="by" of={application.approval.by} /> : null],
          [words().reason, application.reason ?? application.approval?.reason],
          [text.created, <When key="c" at={application.createdAt} shape="exact" />],
        ]}
      />
      {quote ? <Quote quote={quote} /> : null}
    </>
  );
}

function Account({ masked, of: id }: { masked: string; of: string }) {
  return (
    <Covered
      masked={masked}
      name={words().onboarding.bank}
      whole={{
        document: ApplicationAccount,
        variables: { id },
        of: (answer) => answer.onboardingApplication?.bankAccount?.iban,
      }}
    />
  );
}

/** Prices of the quote: minor units of its currency, or ten-thousandths of what is paid. */
function Quote({ quote }: { quote: NonNullable<ShownApplication['quote']> }) {
  const text = words().onboarding;
  const rows = quote.paymentOptions.flatMap(({ paymentType, paymentMethods }) =>
    paymentMethods.flatMap(({ paymentMethodProvider, selected, fees }) =>
      selected ? fees.map((fee) => ({ ...fee, method: `${paymentMethodProvider} · ${paymentType}` })) : [],
    ),
  );
  return (
    <Section title={`${text.quote} ${quote.documentNo}`}>
      <Facts
        rows={[
          [text.signon, printMoney(quote.signon, quote.currency)],
          [text.subscription, printMoney(quote.subscription, quote.currency)],
        ]}
      />
      {rows.length > 0 ? (
        <table className={style.fees}>
          <thead>
            <tr>
              <th scope="col">{text.method}</th>
              <th scope="col">{text.fee}</th>
              <th scope="col">{text.price}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ method, paymentActionType, feeType, unitPrice }) => (
              <tr key={`${method} ${paymentActionType} ${feeType}`}>
                <td>{method}</td>
                <td>{stateWord(paymentActionType)}</td>
                <td className="number">{printPrice(feeType, unitPrice, quote.currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </Section>
  );
}

/** A share of each amount, or so much each time. */
function printPrice(feeType: string, unitPrice: string, currency: string): string {
  const text = words().onboarding;
  if (feeType === 'QTY' || feeType === 'TQTY') return text.eachTime(printMoney(unitPrice, currency));
  const shape = { style: 'percent', maximumFractionDigits: 2 } as const;
  return text.ofAmount(new Intl.NumberFormat(locale(), shape).format(Number(unitPrice) / 10_000));
}

function momentsOf({ timeline, callbacks }: ShownApplication): Moment[] {
  const text = words().onboarding;
  const events = (timeline?.edges ?? []).map(
    ({ node: { eventId, occurredAt, status, previousStatus, reason } }): Moment => ({
      key: eventId,
      at: occurredAt,
      tone: toneOf(status ?? ''),
      title: stateWord(status ?? ''),
      detail: [previousStatus ? text.before(stateWord(previousStatus)) : null, reason].filter(Boolean).join(' · '),
    }),
  );
  const told = (callbacks?.edges ?? []).flatMap(({ node: { callbackId, attempts } }) =>
    attempts.map(
      ({ number, at, status, result, durationMs }): Moment => ({
        key: `${callbackId} ${number}`,
        at,
        tone: result === 'delivered' ? 'good' : 'bad',
        title: text.told,
        to: `/callbacks/${callbackId}`,
        place: words().payments.moments.places.callbacks,
        detail: [status && `HTTP ${status}`, durationMs !== null && `${durationMs} ms`].filter(Boolean).join(' · '),
      }),
    ),
  );
  return [...events, ...told];
}
