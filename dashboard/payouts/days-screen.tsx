// What each day did to a merchant's balance, checked line by line; corrections are proposed from here.
import { Plus } from 'lucide-react';
import { useAsk } from '../graph/ask';
import { Button } from '../kit/button';
import { Chip } from '../kit/chip';
import kit from '../kit/kit.module.css';
import { useIsPhone } from '../kit/media';
import { printMoney } from '../kit/money';
import { None } from '../kit/none';
import { Empty, RefusedNote, SkeletonLines } from '../kit/states';
import { BookDay } from '../kit/when';
import { Filters } from '../lists/filters';
import { Pair } from '../lists/pair';
import { MerchantPill } from '../lists/pills/pills';
import { useAddress } from '../shell/address';
import { useMerchants } from '../shell/merchants';
import { Screen } from '../shell/shell';
import { useMay } from '../shell/viewer';
import { words } from '../strings/language';
import { BookEntry } from './book-entry';
import { PayoutTabs } from './payout-tabs';
import style from './payouts.module.css';
import { BalanceDays, type BalanceDaysQuery, BalanceRows } from './queries';
import { SignedMoney } from './signed-money';
import { balanceDifference } from './sums';

const largestOnly = { filter: { minAmount: '1' }, orderBy: 'AMOUNT', first: 1, after: null } as const;

type Balance = BalanceDaysQuery['balances'][number];

export function DaysScreen() {
  const { search, change } = useAddress();
  const text = words().payouts;
  const mayBook = useMay('ledger:book');
  const { merchants, isLoading } = useMerchants();
  const largest = useAsk(BalanceRows, largestOnly, { isPaused: Boolean(search['merchantId']) });
  const [first] = largest.data?.merchantBalances.edges ?? [];
  // One with money, where nobody was chosen and there is any.
  const merchantId =
    search['merchantId'] ??
    (largest.isLoading ? undefined : (first?.node.merchant.merchantId ?? merchants[0]?.merchantId));
  const days = useAsk(BalanceDays, { merchantId: merchantId ?? '', from: null, to: null }, { isPaused: !merchantId });
  // Until it is known whose days are shown, that is what was asked for.
  const { error, again } = merchantId ? days : largest;
  const { data } = days;
  const isNobody = !merchantId && !isLoading && Boolean(largest.data);
  const currencies = [...new Set(data?.balances.map(({ currency }) => currency))];
  return (
    <Screen
      title={words().ledger.days}
      isPadded
      tools={
        <>
          {mayBook && merchantId ? (
            <Button onClick={() => change({ act: 'book', merchantId })}>
              <Plus aria-hidden />
              {text.book}
            </Button>
          ) : null}
          <PayoutTabs />
        </>
      }
      below={
        <Filters>
          <MerchantPill value={merchantId} />
        </Filters>
      }
    >
      {error && !data ? <RefusedNote error={error} retry={again} /> : null}
      {!data && !error && !isNobody ? <SkeletonLines count={8} /> : null}
      {isNobody || (data && currencies.length === 0) ? (
        <Empty title={text.noBookings}>{text.noBookingsHint}</Empty>
      ) : null}
      <div className={style.tables}>
        {currencies.map((currency) => (
          <CurrencyDays
            key={currency}
            currency={currency}
            days={data?.balances.filter((balance) => balance.currency === currency) ?? []}
          />
        ))}
      </div>
      {search['act'] === 'book' && merchantId && mayBook ? (
        <BookEntry merchantId={merchantId} onClose={() => change({ act: '' })} />
      ) : null}
    </Screen>
  );
}

interface DaysProps {
  currency: string;
  days: readonly Balance[];
}

function CurrencyDays(props: DaysProps) {
  return useIsPhone() ? <DaysOnPhone {...props} /> : <DaysTable {...props} />;
}

/** Each day in three lines: a phone has no room for its columns beside each other. */
function DaysOnPhone({ currency, days }: DaysProps) {
  const text = words().payouts;
  return (
    <section className={style.phoneDays} aria-label={currency}>
      <h2>{currency}</h2>
      <div className={kit.box}>
        {days.map((balance) => (
          <div key={balance.day} className={style.phoneDay}>
            <Pair
              start={<BookDay day={balance.day} />}
              end={
                <strong>
                  <span className="heard">{text.closing}</span>{' '}
                  <SignedMoney minor={balance.closing} currency={currency} of="balance" />
                </strong>
              }
            />
            <Pair
              start={
                <span className="soft">
                  {text.opening} <SignedMoney minor={balance.opening} currency={currency} of="balance" />
                </span>
              }
              end={<Check balance={balance} />}
            />
            <Pair
              start={<span className="soft number">{`${text.credits} ${printMoney(balance.credits, currency)}`}</span>}
              end={<span className="soft number">{`${text.debits} ${printMoney(balance.debits, currency)}`}</span>}
            />
          </div>
        ))}
      </div>
    </section>
  );
}

function DaysTable({ currency, days }: DaysProps) {
  const text = words().payouts;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is wider than a phone
    <section className={style.scroll} aria-label={currency} tabIndex={0}>
      <h2>{currency}</h2>
      <table className={style.days}>
        <thead>
          <tr>
            {[text.date, text.opening, text.credits, text.debits, text.closing, text.check].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((balance) => (
            <tr key={balance.day}>
              <td>
                <BookDay day={balance.day} />
              </td>
              <td>
                <SignedMoney minor={balance.opening} currency={currency} of="balance" />
              </td>
              <td className="number">
                {printMoney(balance.credits, currency)} <span className="faint">({balance.creditsCount})</span>
              </td>
              <td className="number">
                {printMoney(balance.debits, currency)} <span className="faint">({balance.debitsCount})</span>
              </td>
              <td>
                <strong>
                  <SignedMoney minor={balance.closing} currency={currency} of="balance" />
                </strong>
              </td>
              <td>
                <Check balance={balance} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Check({ balance }: { balance: Balance }) {
  const text = words().payouts;
  const difference = balanceDifference(balance);
  if (difference !== 0n)
    return <Chip state={`${text.difference} ${printMoney(String(difference), balance.currency)}`} tone="bad" />;
  // Null: nobody added the entries up again.
  if (balance.reconciled === null) return <None />;
  return (
    <Chip state={balance.reconciled ? text.reconciled : text.differs} tone={balance.reconciled ? 'good' : 'bad'} />
  );
}
