// Filters that several lists have: by merchant, by currency; and by what ends soon.
import { useAddress } from '../../shell/address';
import { useCurrencies } from '../../shell/currencies';
import { useMerchantOptions } from '../../shell/merchants';
import { words } from '../../strings/language';
import { Pill } from '../filters';
import { filterWords, isCurrencyWord } from '../known';
import { ManyPill } from '../many-pill';
import { momentIn } from '../spans';

export const ahead = { day: 1, three: 3, week: 7 } as const;

/** Of the address, unless the screen has one to show without it. */
export function MerchantPill({ value }: { value?: string | undefined }) {
  const { search, change } = useAddress();
  const chosen = value ?? search['merchantId'];
  return (
    <Pill
      title={words().payments.merchant}
      value={chosen}
      options={useMerchantOptions(chosen)}
      onChange={(merchantId) => change({ merchantId })}
    />
  );
}

/** Of what there is: the currencies of merchants and of the payments of a month, with those that are chosen. */
export function CurrencyPill() {
  const { search, change } = useAddress();
  const chosen = filterWords(search['currency']).filter(isCurrencyWord);
  const currencies = [...new Set([...useCurrencies(), ...chosen])].sort();
  return (
    <ManyPill
      title={words().payments.currency}
      value={chosen.join(',')}
      options={currencies.map((currency) => [currency, currency])}
      onChange={(currency) => change({ currency })}
    />
  );
}

export function ExpiresPill() {
  const { search, change } = useAddress();
  const { expires, expiringWithin } = words().payments;
  return (
    <Pill
      title={expires}
      value={search['expires']}
      options={Object.keys(ahead).map((span) => [span, expiringWithin[span as keyof typeof ahead]])}
      onChange={(span) => change({ expires: span })}
    />
  );
}

/** When a span of the address that lies ahead ends. */
export function spanEnd(expires: string | undefined): string | null {
  return momentIn(ahead[expires as keyof typeof ahead] ?? 0);
}
