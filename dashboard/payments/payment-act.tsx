// Capture, refund or void of one payment: how much and why, asked once more before money moves.
import { useState } from 'react';
import { useAct } from '../graph/ask';
import type { AskError } from '../graph/refusal-code';
import { Field, forgetDraft, ReasonAct, useDraft } from '../kit/form';
import { parseMoney, printMoney, typedMoney } from '../kit/money';
import { useToast } from '../shell/toasts';
import { words } from '../strings/language';
import type { ShownPayment } from './life';
import type { PossibleAct } from './possible-acts';
import { CaptureOperation, RefundOperation, VoidPayment } from './queries';

interface Props {
  asked: PossibleAct;
  isGone: boolean;
  payment: ShownPayment;
  onClose(): void;
  onDone(): void;
}

export function PaymentAct({ asked, isGone, payment, onClose, onDone }: Props) {
  const { act, operationId, most, isPartial } = asked;
  const { currency, paymentId } = payment;
  const text = words().payments;
  const place = `${act} ${paymentId}`;
  const [typed, setTyped, forget] = useDraft(`${place} amount`, typedMoney(most, currency));
  const amount = isPartial ? parseMoney(typed, currency) : most;
  const [fault, setFault] = useState<string | null>(null);
  const [error, setError] = useState<AskError | null>(null);
  const tell = useToast();
  const capture = useAct(CaptureOperation);
  const refund = useAct(RefundOperation);
  const release = useAct(VoidPayment);

  function isRight(): boolean {
    const isPossible = amount !== null && BigInt(amount) > 0n && BigInt(amount) <= BigInt(most);
    if (!isPossible) setFault(text.act.amountFault(printMoney(most, currency)));
    return isPossible;
  }

  async function submit(reason: string): Promise<void> {
    if (amount === null) return;
    const input = isPartial ? { reason, amount, currency } : { reason };
    const outcome =
      act === 'void'
        ? await release.run({ paymentId, input })
        : await (act === 'capture' ? capture : refund).run({ operationId, input });
    if (outcome.error) return setError(outcome.error);
    forget();
    forgetDraft(place);
    tell(text.act.done[act](printMoney(amount, currency)));
    onDone();
  }

  return (
    <ReasonAct
      title={text.act[act]}
      hint={text.act.hint[act]}
      confirm={amount === null ? text[act] : `${text[act]} ${printMoney(amount, currency)}`}
      isDangerous={act === 'void'}
      isRunning={capture.isRunning || refund.isRunning || release.isRunning}
      isGone={isGone}
      error={error}
      draft={place}
      isRight={isRight}
      onSubmit={(reason) => void submit(reason)}
      onClose={() => {
        forget();
        onClose();
      }}
    >
      {isPartial ? (
        <Field label={`${text.amount} (${currency})`} hint={text.act.most(printMoney(most, currency))} fault={fault}>
          {(field) => (
            <input
              {...field}
              inputMode="decimal"
              autoComplete="off"
              value={typed}
              onFocus={({ target }) => target.select()}
              onChange={({ target }) => {
                setFault(null);
                setTyped(target.value);
              }}
            />
          )}
        </Field>
      ) : null}
    </ReasonAct>
  );
}
