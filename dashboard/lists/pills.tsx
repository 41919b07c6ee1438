// Filters that several lists have: by merchant, by currency, by how long ago; and by what ends soon.
import { useAddress } from '../shell/address';
import { useMerchants } from '../shell/merchants';
import { words } from '../strings/language';
import { Pill } from './filters';

const currencies = ['EUR', 'DKK', 'SEK', 'NOK', 'USD', 'GBP'] as const;
const dayMs = 86_400_000;
const spans = { day: 1, week: 7, month: 30 } as const;
const ahead = { day: 1, three: 3, week: 7 } as const;

export function MerchantPill() {
  const { search, change } = useAddress();
  const { options } = useMerchants();
  return (
    <Pill
      title={words().payments.merchant}
      value={search['merchantId']}
      options={options}
      onChange={(merchantId) => change({ merchantId })}
    />
  );
}

export function CurrencyPill() {
  const { search, change } = useAddress();
  return (
    <Pill
      title={words().payments.currency}
      value={search['currency']}
      options={currencies.map((currency) => [currency, currency])}
      onChange={(currency) => change({ currency })}
    />
  );
}

export function SincePill({ title }: { title: string }) {
  const { search, change } = useAddress();
  const text = words().payments.spans;
  return (
    <Pill
      title={title}
      value={search['since']}
      options={Object.keys(spans).map((span) => [span, text[span as keyof typeof spans]])}
      onChange={(since) => change({ since })}
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

/** When a span of the address begins; to the minute, so that a redrawn screen asks the same. */
export function spanStart(since: string | undefined): string | null {
  return momentIn(-(spans[since as keyof typeof spans] ?? 0));
}

/** When a span of the address that lies ahead ends. */
export function spanEnd(expires: string | undefined): string | null {
  return momentIn(ahead[expires as keyof typeof ahead] ?? 0);
}

function momentIn(days: number): string | null {
  return days === 0 ? null : new Date(Math.floor(Date.now() / 60_000) * 60_000 + days * dayMs).toISOString();
}
