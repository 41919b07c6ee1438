// One payout opened up: the sums that it is made of, checked, and every action behind it.
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useAsk } from '../graph/ask';
import { type Pages, usePages } from '../graph/pages';
import { Button } from '../kit/button';
import { stateWord } from '../kit/chip';
import { CopyId } from '../kit/copy-id';
import { printCount } from '../kit/count';
import { Covered } from '../kit/covered';
import { Facts, Section } from '../kit/facts';
import { Go } from '../kit/go';
import kit from '../kit/kit.module.css';
import { printMoney } from '../kit/money';
import { Drawer } from '../kit/overlays';
import { Empty, PartRefused, RefusedNote, SkeletonLines, Stale } from '../kit/states';
import { BookDay, When } from '../kit/when';
import { useReadOnThing } from '../live/read-on';
import { useAddress } from '../shell/address';
import { words } from '../strings/language';
import style from './payouts.module.css';
import { Reconciled } from './payouts-screen';
import {
  PayoutAccount,
  type PayoutActionFragment,
  PayoutActionRows,
  type PayoutActionRowsQuery,
  PayoutLife,
  type PayoutLifeQuery,
} from './queries';
import { SignedMoney } from './signed-money';
import { differenceOf, entryGain, negated } from './sums';

type Payout = NonNullable<PayoutLifeQuery['payout']>;

const none = { edges: [], pageInfo: { hasNextPage: false, endCursor: null } };
const shape = {
  of: ({ payout }: PayoutActionRowsQuery) => payout?.actions ?? none,
  keyOf: ({ actionId }: PayoutActionFragment) => actionId,
};

export function PayoutDrawer() {
  const { payoutId } = useParams({ strict: false }) as { payoutId: string };
  const { open, hrefOf } = useAddress();
  const text = words().payouts;
  const { data, readAt, error, again, isOld } = useAsk(PayoutLife, { payoutId });
  const asked = useMemo(() => ({ payoutId }), [payoutId]);
  const actions = usePages(PayoutActionRows, asked, shape);
  const payout = data?.payout;
  const merchantId = payout?.merchant.merchantId ?? null;
  useReadOnThing(payout ? { kinds: ['payouts'], id: payoutId, merchantId } : null, again);
  return (
    <Drawer
      of={payoutId}
      title={text.one}
      name={payout?.reference}
      actions={<CopyId id={payoutId} short />}
      onClose={() => open(hrefOf('/payouts'))}
    >
      {payout ? (
        <>
          <div className={kit.lead}>
            <strong className="number">{printMoney(payout.amount, payout.currency)}</strong>
            <Reconciled payout={payout} />
          </div>
          <Facts
            rows={[
              [
                text.merchant,
                <Go key="merchant" to={`/merchants/${payout.merchant.merchantId}`}>
                  {payout.merchant.name}
                </Go>,
              ],
              [text.date, <BookDay key="day" day={payout.date} />],
              [text.number, String(payout.number)],
              [text.reference, payout.reference],
              [text.iban, payout.ibanMasked ? <Account key="iban" masked={payout.ibanMasked} of={payoutId} /> : null],
              [text.bic, payout.bic],
              [text.closed, <When key="closed" at={payout.closedAt} shape="exact" />],
            ]}
          />
          <Sums payout={payout} />
          <Actions actions={actions} total={payout.sums.actionCount} />
        </>
      ) : null}
      {data && !payout ? <Empty title={text.unknown} /> : null}
      {error && !data ? <RefusedNote error={error} retry={again} /> : null}
      {isOld ? <Stale readAt={readAt} retry={again} /> : null}
      {!data && !error ? <SkeletonLines count={10} /> : null}
    </Drawer>
  );
}

function Account({ masked, of: payoutId }: { masked: string; of: string }) {
  return (
    <Covered
      masked={masked}
      name={words().payouts.iban}
      whole={{ document: PayoutAccount, variables: { payoutId }, of: ({ payout }) => payout?.iban }}
    />
  );
}

function Sums({ payout }: { payout: Payout }) {
  const { sums, currency, amount } = payout;
  const text = words().payouts;
  const difference = differenceOf(payout);
  const rows = [
    [text.charged, sums.charged, sums.chargeCount],
    [text.refunded, negated(sums.refunded), sums.refundCount],
    [text.deposited, sums.deposited, sums.depositCount],
    [text.fees, negated(sums.fees), null],
    [text.chargebacks, negated(sums.chargebacks), null],
    [text.adjustments, sums.adjustments, null],
  ] as const;
  return (
    <Section title={text.sums}>
      <table className={style.sums}>
        <tbody>
          {rows.map(([name, minor, count]) => (
            <tr key={name} data-none={minor === '0'}>
              <th scope="row">{name}</th>
              <td className="number faint">{count === null ? '' : printCount(count)}</td>
              <td>
                <SignedMoney minor={minor} currency={currency} of="movement" />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{text.paidOut}</th>
            <td />
            <td>
              <SignedMoney minor={amount} currency={currency} of="movement" />
            </td>
          </tr>
          {difference === 0n ? null : (
            <tr className={style.wrong}>
              <th scope="row">{text.difference}</th>
              <td />
              <td className="number">{printMoney(String(difference), currency)}</td>
            </tr>
          )}
        </tfoot>
      </table>
    </Section>
  );
}

function Actions({ actions, total }: { actions: Pages<PayoutActionFragment>; total: number }) {
  const text = words().payouts;
  return (
    <Section title={`${text.actions} (${printCount(total)})`}>
      {actions.isLoading && actions.rows.length === 0 ? <SkeletonLines count={3} /> : null}
      {actions.error ? <PartRefused error={actions.error} retry={actions.again} /> : null}
      <div className={kit.box}>
        {actions.rows.map(
          ({ actionId, action, paymentId, paymentMethod, occurredAt, reference, currency, amount, fee }) => {
            const inside = (
              <>
                <span>
                  <span className={style.kind}>{stateWord(action)}</span>{' '}
                  <span className="soft">{[paymentMethod, reference].filter(Boolean).join(' · ')}</span>
                </span>
                <span className="faint">
                  <When at={occurredAt} />
                </span>
                <span className="faint number">{text.fee(printMoney(fee, currency))}</span>
                <SignedMoney minor={entryGain({ action, amount })} currency={currency} of="movement" />
              </>
            );
            return paymentId ? (
              <Go key={actionId} to={`/payments/${paymentId}`} className={`${kit.boxRow} ${style.action}`}>
                {inside}
              </Go>
            ) : (
              <div key={actionId} className={`${kit.boxRow} ${style.action}`}>
                {inside}
              </div>
            );
          },
        )}
      </div>
      {actions.more ? <Button onClick={actions.more}>{words().more}</Button> : null}
    </Section>
  );
}
