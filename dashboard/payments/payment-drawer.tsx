// One payment beside the list: what it is worth now, what can be done with it, and everything that happened to it, wherever it happened.
import { useParams } from '@tanstack/react-router';
import { Ban, Banknote, Undo2 } from 'lucide-react';
import { useAsk } from '../graph/ask';
import { Button } from '../kit/button';
import { Chip } from '../kit/chip';
import { CopyId } from '../kit/copy-id';
import { Facts, Section } from '../kit/facts';
import { NotOffered, useHeld } from '../kit/form';
import { Go } from '../kit/go';
import { printMoney } from '../kit/money';
import { Drawer } from '../kit/overlays';
import { refusalWord } from '../kit/refusal-word';
import { Empty, RefusedNote, SkeletonLines, Stale } from '../kit/states';
import { Timeline } from '../kit/timeline';
import { When } from '../kit/when';
import { useReadOnThing } from '../live/read-on';
import { useAddress } from '../shell/address';
import { words } from '../strings/language';
import { AmountsBar } from './amounts-bar';
import { cardCountryName } from './card-country';
import type { ShownPayment } from './life';
import { momentsOf } from './moments';
import { authenticationWords, declineWords, Operations, PaymentNotifications } from './operations';
import { PaymentAct } from './payment-act';
import { usePaymentActors } from './payment-actors';
import style from './payments.module.css';
import { type PossibleAct, possibleActs } from './possible-acts';
import { PaymentLife } from './queries';
import { threeDsOutcomeOf } from './three-ds-outcome';

export function PaymentDrawer() {
  const { paymentId } = useParams({ from: '/payments/$paymentId' });
  const { open, hrefOf } = useAddress();
  const text = words().payments;
  const { data, readAt, error, again, isOld, isStale } = useAsk(PaymentLife, { paymentId });
  const payment = data?.payment;
  useReadOnThing(
    payment ? { kinds: ['payments', 'callbacks'], id: paymentId, merchantId: payment.merchant.merchantId } : null,
    again,
  );
  return (
    <Drawer
      of={paymentId}
      title={text.one}
      name={payment && (payment.orderId ?? payment.paymentId)}
      actions={payment ? <CopyId id={payment.paymentId} short /> : null}
      onClose={() => open(hrefOf('/payments'))}
    >
      {payment ? <PaymentDetails key={paymentId} payment={payment} isStale={isStale} again={again} /> : null}
      {data && !payment ? <Empty title={text.unknown}>{text.unknownHint}</Empty> : null}
      {error && !data ? <RefusedNote error={error} retry={again} /> : null}
      {isOld ? <Stale readAt={readAt} retry={again} /> : null}
      {!data && !error ? <SkeletonLines count={10} /> : null}
    </Drawer>
  );
}

function PaymentDetails({ payment, again }: { payment: ShownPayment; isStale: boolean; again(): void }) {
  const { search, change } = useAddress();
  const text = words().payments;
  const acts = possibleActs(payment);
  const asked = search['act'];
  const { held, isGone } = useHeld(
    asked ? `${asked} ${payment.paymentId}` : null,
    acts.find(({ act, why }) => act === asked && why === null),
  );
  const isRefused = asked !== undefined && asked in icons && !held;
  const hindered = acts.find(({ act, why }) => why !== null && (!isRefused || act === asked));
  const actorOf = usePaymentActors(payment);
  return (
    <>
      <div className={style.top}>
        <span className={`number ${style.big}`}>{printMoney(payment.amount, payment.currency)}</span>
        <Chip state={payment.state} />
        <Acts acts={acts} onChoose={(act) => change({ act })} />
      </div>
      {isRefused || hindered ? <NotOffered why={hindered?.why ?? 'invalidState'} /> : null}
      <AmountsBar payment={payment} />
      <PaymentFacts payment={payment} />
      <Section title={text.timeline}>
        <Timeline moments={momentsOf(payment, actorOf)} />
      </Section>
      <Operations payment={payment} actorOf={actorOf} />
      <PaymentNotifications payment={payment} />
      {held ? (
        <PaymentAct
          asked={held}
          isGone={isGone}
          payment={payment}
          onClose={() => change({ act: '' })}
          onDone={() => {
            change({ act: '' });
            again();
          }}
        />
      ) : null}
    </>
  );
}

const icons = { capture: Banknote, refund: Undo2, void: Ban };

interface ActsProps {
  acts: readonly PossibleAct[];
  onChoose(act: string): void;
}

function Acts({ acts, onChoose }: ActsProps) {
  const text = words().payments;
  return (
    <span className={style.acts}>
      {acts.map(({ act, why }) => {
        const Icon = icons[act];
        return (
          <Button
            key={act}
            disabled={why !== null}
            title={why === null ? undefined : refusalWord(why)}
            onClick={() => onChoose(act)}
          >
            <Icon aria-hidden />
            {text[act]}
          </Button>
        );
      })}
    </span>
  );
}

function PaymentFacts({ payment }: { payment: ShownPayment }) {
  const text = words().payments;
  const { facts } = words().names;
  const operations = payment.operations.edges.map(({ node }) => node);
  const [first] = operations;
  const data = (first?.additionalData ?? {}) as Record<string, unknown>;
  const word = (name: string) => (typeof data[name] === 'string' ? (data[name] as string) : null);
  // A payment that was never authorized has no instrument of its own; its attempts do.
  const tried = operations.filter((each) => each.paymentInstrumentInfo).at(-1);
  const country = word('cardCountry');
  return (
    <Facts
      rows={[
        [text.declinedBecause, declineWords(operations.at(-1))],
        [text.order, payment.orderId ? <CopyId key="order" id={payment.orderId} /> : null],
        [
          text.merchant,
          <Go key="merchant" to={`/merchants/${payment.merchant.merchantId}`}>
            {payment.merchant.name}
          </Go>,
        ],
        [text.terminal, payment.terminalId],
        [text.instrument, payment.instrumentInfo ?? tried?.paymentInstrumentInfo],
        [text.circuit, first?.paymentCircuit ?? null],
        [facts.cardCountry, country && cardCountryName(country)],
        [facts.authorizationCode, word('authorizationCode')],
        [text.threeDs, authenticationWords(threeDsOutcomeOf(operations))],
        [text.family, words().families[payment.family]],
        [text.contract, payment.contractId],
        [text.created, <When key="created" at={payment.createdAt} shape="exact" />],
        [
          text.expires,
          payment.authorizationExpiresAt ? (
            <When key="until" at={payment.authorizationExpiresAt} shape="exact" />
          ) : null,
        ],
        [text.captureDue, payment.captureDueAt ? <When key="due" at={payment.captureDueAt} shape="exact" /> : null],
      ]}
    />
  );
}
