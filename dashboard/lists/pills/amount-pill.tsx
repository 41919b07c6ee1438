// The pill that narrows a list to amounts from one to another, as people write them; in the address they stand in minor units.
import { useState } from 'react';
import { ActDialog, Field } from '../../kit/form';
import { decimalOf, decimalsOf, parseMoney, printMoney, typedMoney } from '../../kit/money';
import { useAddress } from '../../shell/address';
import { words } from '../../strings/language';
import { Pill } from '../filters';
import { filterWords, isCurrencyWord } from '../known';

const own = 'own';
/** Amounts in no currency of their own have as many decimals as this one. */
const usual = 'EUR';

/** `100..5000` in minor units, the smaller one first, of which either may be missing. */
export function isAmounts(word: string): boolean {
  if (!/^\d{1,12}\.\.\d{0,12}$|^\.\.\d{1,12}$/.test(word)) return false;
  const { minAmount, maxAmount } = amountsOf(word);
  return minAmount === null || maxAmount === null || BigInt(minAmount) <= BigInt(maxAmount);
}

export function amountsOf(value: string | undefined): { minAmount: string | null; maxAmount: string | null } {
  const [least, most] = (value ?? '').split('..');
  return { minAmount: least || null, maxAmount: most || null };
}

export function AmountPill() {
  const { search, change } = useAddress();
  const [isOpen, setOpen] = useState(false);
  const text = words().narrow;
  const amount = search['amount'];
  const value = amount && isAmounts(amount) ? amount : undefined;
  const currencies = filterWords(search['currency']).filter(isCurrencyWord);
  const currency = currencies.length === 1 ? (currencies[0] ?? usual) : usual;
  const isOfOne = currencies.length === 1;
  const print = (minor: string | null) =>
    minor === null ? '…' : isOfOne ? printMoney(minor, currency) : decimalOf(minor, decimalsOf(currency));
  const { minAmount, maxAmount } = amountsOf(value);
  return (
    <>
      <Pill
        title={words().payments.amount}
        value={value}
        options={[
          ...(value ? [[value, `${print(minAmount)} – ${print(maxAmount)}`] as const] : []),
          [own, text.amounts],
        ]}
        onChange={(next) => (next === own ? setOpen(true) : change({ amount: next }))}
      />
      {isOpen ? (
        <AmountsDialog
          currency={currency}
          isOfOne={isOfOne}
          value={value}
          onClose={() => setOpen(false)}
          onChoose={(amount) => {
            setOpen(false);
            change({ amount });
          }}
        />
      ) : null}
    </>
  );
}

interface AmountsDialogProps {
  currency: string;
  isOfOne: boolean;
  value: string | undefined;
  onChoose(amount: string): void;
  onClose(): void;
}

function AmountsDialog({ currency, isOfOne, value, onChoose, onClose }: AmountsDialogProps) {
  const text = words().narrow;
  const shown = (minor: string | null) => (minor ? typedMoney(minor, currency) : '');
  const { minAmount, maxAmount } = amountsOf(value);
  const [least, setLeast] = useState(shown(minAmount));
  const [most, setMost] = useState(shown(maxAmount));
  const [fault, setFault] = useState<string | null>(null);
  /** Null: these are no amounts, or not in their order. */
  function typed(): string | null {
    const [from, to] = [least, most].map((text) => (text.trim() ? parseMoney(text, currency) : ''));
    if (typeof from !== 'string' || typeof to !== 'string') return null;
    if (from && to && BigInt(from) > BigInt(to)) return null;
    return from || to ? `${from}..${to}` : '';
  }
  function submit(): void {
    const amount = typed();
    if (amount === null) setFault(text.amountsFault);
    else onChoose(amount);
  }
  return (
    <ActDialog
      title={text.amountsTitle}
      hint={text.amountsHint(isOfOne ? currency : text.anyCurrency)}
      confirm={text.apply}
      isRunning={false}
      error={null}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={text.from} fault={fault}>
        {(field) => (
          <input {...field} inputMode="decimal" value={least} onChange={({ target }) => setLeast(target.value)} />
        )}
      </Field>
      <Field label={text.to}>
        {(field) => (
          <input {...field} inputMode="decimal" value={most} onChange={({ target }) => setMost(target.value)} />
        )}
      </Field>
    </ActDialog>
  );
}
