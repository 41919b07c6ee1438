// A booking by hand: proposed here, confirmed by a second person.
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct } from '../graph/ask';
import type { AskError } from '../graph/refusal-code';
import { Field, forgetDraft, ReasonAct, useDraft } from '../kit/form';
import { parseMoney, typedMoney } from '../kit/money';
import { useCurrencies } from '../shell/currencies';
import { useMerchants } from '../shell/merchants';
import { useToast } from '../shell/toasts';
import { words } from '../strings/language';
import { BookAdjustment, BookChargeback, BookDeposit } from './queries';

const kinds = ['adjustment', 'deposit', 'chargeback'] as const;
/** Whatever else there is. */
const usualCurrencies = ['EUR', 'DKK', 'SEK', 'NOK', 'USD'] as const;

export function BookEntry({ merchantId, onClose }: { merchantId: string; onClose(): void }) {
  const text = words().payouts;
  const navigate = useNavigate();
  const currencies = [...new Set([...usualCurrencies, ...useCurrencies()])];
  const name = useMerchants().merchants.find((merchant) => merchant.merchantId === merchantId)?.name ?? merchantId;
  const tell = useToast();
  const draft = `book ${merchantId}`;
  const [chosen, setKind] = useDraft(`${draft} kind`, 'adjustment');
  const [currency, setCurrency] = useDraft(`${draft} currency`, 'EUR');
  const [typed, setTyped] = useDraft(`${draft} amount`);
  const kind = kinds.find((each) => each === chosen) ?? 'adjustment';
  const [fault, setFault] = useState<string | null>(null);
  const [error, setError] = useState<AskError | null>(null);
  const deposit = useAct(BookDeposit);
  const chargeback = useAct(BookChargeback);
  const adjustment = useAct(BookAdjustment);

  const amount = bookable(typed.trim(), currency, kind === 'adjustment');

  function forget(): void {
    for (const each of [draft, `${draft} kind`, `${draft} currency`, `${draft} amount`]) forgetDraft(each);
  }

  function isRight(): boolean {
    if (amount === null) setFault(text.amountFault(typedMoney('1234', currency)));
    return amount !== null;
  }

  async function submit(reason: string): Promise<void> {
    if (amount === null) return;
    const input = { merchantId, currency, reason, amount };
    const proposalId = await {
      deposit: () => idOf(deposit.run({ input }), ({ bookDeposit }) => bookDeposit),
      chargeback: () => idOf(chargeback.run({ input }), ({ bookChargeback }) => bookChargeback),
      adjustment: () => idOf(adjustment.run({ input }), ({ bookAdjustment }) => bookAdjustment),
    }[kind]();
    if (proposalId === null) return;
    forget();
    tell(text.proposed);
    void navigate({ to: `/proposals/${proposalId}` as '/' });
  }

  async function idOf<Answer>(
    running: ReturnType<ReturnType<typeof useAct<Answer, object>>['run']>,
    of: (answer: Answer) => { proposal: { proposalId: string } },
  ): Promise<string | null> {
    const outcome = await running;
    if (!outcome.error) return of(outcome.data).proposal.proposalId;
    setError(outcome.error);
    return null;
  }

  return (
    <ReasonAct
      title={`${text.book}: ${name}`}
      hint={text.bookHint}
      confirm={text.propose}
      isRunning={deposit.isRunning || chargeback.isRunning || adjustment.isRunning}
      error={error}
      draft={draft}
      isRight={isRight}
      onSubmit={(reason) => void submit(reason)}
      onClose={() => {
        forget();
        onClose();
      }}
    >
      <Field label={text.kind}>
        {(field) => (
          <select {...field} value={kind} onChange={({ target }) => setKind(target.value)}>
            {kinds.map((each) => (
              <option key={each} value={each}>
                {text.kinds[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={text.currency}>
        {(field) => (
          <select {...field} value={currency} onChange={({ target }) => setCurrency(target.value)}>
            {currencies.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label={text.amount} hint={kind === 'adjustment' ? text.signHint : undefined} fault={fault}>
        {(field) => (
          <input
            {...field}
            inputMode="decimal"
            autoComplete="off"
            value={typed}
            onChange={({ target }) => {
              setFault(null);
              setTyped(target.value);
            }}
          />
        )}
      </Field>
    </ReasonAct>
  );
}

/** In minor units; null: no amount above zero, or one that is taken away where only something can be given. */
function bookable(typed: string, currency: string, maySign: boolean): string | null {
  const isTaken = typed.startsWith('-');
  const minor = parseMoney(isTaken ? typed.slice(1) : typed, currency);
  if (minor === null || minor === '0' || (isTaken && !maySign)) return null;
  return isTaken ? `-${minor}` : minor;
}
