// The operations of a payment, each with its exchange with the acquirer, and the notifications that told them.
import { ChevronRight } from 'lucide-react';
import { Chip, stateWord } from '../kit/chip';
import { CopyId } from '../kit/copy-id';
import { Facts, Section } from '../kit/facts';
import { Go } from '../kit/go';
import { printMoney } from '../kit/money';
import { Timeline } from '../kit/timeline';
import { When } from '../kit/when';
import { words } from '../strings/language';
import { cardCountryName } from './card-country';
import type { ShownPayment } from './life';
import { callsOf } from './moments';
import style from './payments.module.css';
import type { PaymentOperationFragment } from './queries';
import { reasonWord } from './reason-word';
import { threeDsOutcomeOf } from './three-ds-outcome';

interface OperationsProps {
  payment: ShownPayment;
  /** Who did it, where that is known. */
  actorOf(operationId: string): string | null;
}

export function Operations({ payment, actorOf }: OperationsProps) {
  const text = words().payments;
  if (payment.operations.edges.length === 0) return null;
  return (
    <Section title={text.operations}>
      <div className={style.list}>
        {payment.operations.edges.map(({ node }) => (
          <details key={node.operationId} className={style.entry}>
            <summary>
              <ChevronRight aria-hidden className={style.turn} />
              <span className={style.kind}>{stateWord(node.operationType)}</span>
              <span className="number">{printMoney(node.operationAmount, node.operationCurrency)}</span>
              <Chip state={node.operationResult} />
              <span className="faint">
                <When at={node.operationTime} shape="clock" />
              </span>
            </summary>
            <OperationFacts operation={node} actor={actorOf(node.operationId)} />
          </details>
        ))}
      </div>
    </Section>
  );
}

/** In words, with the acquirer's own where the code has none; null for what was not refused. */
export function declineWords(operation: PaymentOperationFragment | undefined): string | null {
  const reason = operation?.declineReason;
  if (!reason) return null;
  return reasonWord(reason.code, reason.text);
}

/** What became of 3-D Secure; a word of the acquirer's own is told as it is. */
export function authenticationWords(outcome: string | null): string | null {
  const known: Partial<Record<string, string>> = words().payments.threeDsOutcomes;
  return outcome === null ? null : (known[outcome] ?? outcome);
}

/** What the network or the method gave besides, each by its name and as people write it. */
function furtherFacts(operation: PaymentOperationFragment): (readonly [name: string, value: string])[] {
  const names: Partial<Record<string, string>> = words().names.facts;
  const shown: Partial<Record<string, (value: string) => string | null>> = {
    // Told as why it was declined.
    responseReason: () => null,
    cardCountry: cardCountryName,
    threeDS: () => authenticationWords(threeDsOutcomeOf([operation])),
    fee: (value) => (/^\d+$/.test(value) ? printMoney(value, operation.operationCurrency) : value),
  };
  return Object.entries(operation.additionalData as Record<string, unknown>).flatMap(([name, value]) => {
    if (typeof value !== 'string') return [];
    const told = shown[name] ? shown[name](value) : value;
    return told === null ? [] : [[names[name] ?? stateWord(name), told] as const];
  });
}

function OperationFacts({ operation, actor }: { operation: PaymentOperationFragment; actor: string | null }) {
  const text = words().payments;
  const { acquirerCall, payout } = operation;
  return (
    <div className={style.inside}>
      <Facts
        rows={[
          [text.operation, <CopyId key="id" id={operation.operationId} />],
          [text.endToEnd, operation.paymentEndToEndId],
          [text.channel, stateWord(operation.channel)],
          [text.declinedBecause, declineWords(operation)],
          [text.doneBy, actor],
          [words().reason, operation.reason],
          [text.description, operation.description],
          ...furtherFacts(operation),
          ...operation.warnings.map(({ code, description }) => [stateWord(code), description] as const),
          [
            text.payout,
            payout ? (
              <Go key="payout" to={`/payouts/${payout.payoutId}`}>
                {payout.date}
              </Go>
            ) : null,
          ],
          [text.acquirer, acquirerCall ? <Chip key="call" state={acquirerCall.state} /> : null],
          [text.askAt, acquirerCall?.askAt ? <When key="ask" at={acquirerCall.askAt} shape="exact" /> : null],
          [
            text.raisedAt,
            acquirerCall?.raisedAt ? <When key="raised" at={acquirerCall.raisedAt} shape="exact" /> : null,
          ],
        ]}
      />
      {acquirerCall && acquirerCall.steps.length > 0 ? <Timeline moments={callsOf(operation)} /> : null}
    </div>
  );
}

export function PaymentNotifications({ payment }: { payment: ShownPayment }) {
  const text = words().payments;
  const callbacks = payment.operations.edges.flatMap(({ node: { callbacks, operationType } }) =>
    (callbacks?.edges ?? []).map(({ node }) => ({ ...node, operationType })),
  );
  return (
    <Section title={text.notifications}>
      {callbacks.length === 0 ? <p className="soft">{text.noNotifications}</p> : null}
      <div className={style.list}>
        {callbacks.map(({ callbackId, kind, operationType, status, createdAt, attempts, nextAttemptAt }) => (
          <Go key={callbackId} to={`/callbacks/${callbackId}`} className={style.note}>
            <span className={style.kind}>{stateWord(kind)}</span>
            <Chip state={status} />
            <span className="soft">
              {stateWord(operationType)} · {text.attemptsOf(attempts.length)}
            </span>
            <span className="faint">
              {nextAttemptAt ? (
                <>
                  {text.next} <When at={nextAttemptAt} shape="clock" />
                </>
              ) : (
                <When at={createdAt} shape="clock" />
              )}
            </span>
          </Go>
        ))}
      </div>
    </Section>
  );
}
