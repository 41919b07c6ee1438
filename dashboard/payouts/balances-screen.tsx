// What each merchant is owed now, by currency, with what all of it adds up to; a row leads to the entries that made it.

import { useEffect, useMemo } from 'react';
import { useAsk } from '../graph/ask';
import { type MerchantBalanceFilter } from '../graph/contract';
import { type Pages, usePages } from '../graph/pages';
import { printCount } from '../kit/count';
import { printMoney } from '../kit/money';
import { PartRefused, Skeleton } from '../kit/states';
import { ExportLink } from '../lists/export-link';
import { Filters, Pill } from '../lists/filters';
import { FollowTools } from '../lists/follow-tools';
import { filterWords, isCurrencyWord, type KnownSearch } from '../lists/known';
import { List } from '../lists/list';
import { useLiveList } from '../lists/live-list';
import { Nothing } from '../lists/nothing';
import { Pair } from '../lists/pair';
import { CurrencyPill, MerchantPill } from '../lists/pills/pills';
import type { Column } from '../lists/rows';
import { SavedViews } from '../lists/saved-views';
import { useKnownAddress } from '../lists/use-known';
import { Happened } from '../live/queries';
import { printSearch, type Search } from '../shell/address';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import { bookEvents } from './book-events';
import { PayoutTabs } from './payout-tabs';
import style from './payouts.module.css';
import { type BalanceRowFragment, BalanceRows, type BalanceRowsQuery, BalanceTotals } from './queries';
import { SignedMoney } from './signed-money';

const sides = { toMerchants: { minAmount: '1' }, byMerchants: { maxAmount: '-1' } } as const;

const known = { currency: isCurrencyWord, owed: Object.keys(sides), order: ['AMOUNT'] };

const shape = {
  of: ({ merchantBalances }: BalanceRowsQuery) => merchantBalances,
  keyOf: ({ merchant, currency }: BalanceRowFragment) => `${currency} ${merchant.merchantId}`,
};

const source = { document: Happened, types: bookEvents };

export function BalancesScreen() {
  const { address, search, open, change } = useKnownAddress(known);
  const text = words().ledger;
  const filter = useMemo(() => filterOf(search), [search]);
  const orderBy = search['order'] === 'AMOUNT' ? 'AMOUNT' : null;
  const asked = { filter, orderBy } as const;
  const pages = usePages(BalanceRows, asked, shape);
  const columns = useMemo(columnsOf, []);
  const live = useLiveList(
    { filter: asked, merchantId: search['merchantId'], pages, keyOf: shape.keyOf, isHeld: false, isSorted: true },
    source,
  );
  return (
    <Screen
      title={words().navigation.balances}
      total={pages.total}
      tools={
        <>
          <ExportLink document={BalanceRows} variables={asked} />
          <FollowTools live={live} />
          <PayoutTabs />
        </>
      }
      below={
        <>
          <BalanceFilters address={address} onChange={change} />
          <Totals filter={filter} pages={pages} />
        </>
      }
    >
      <List
        pages={pages}
        live={live}
        label={words().navigation.balances}
        columns={columns}
        sortedBy={orderBy ? ['balance', 'descending'] : undefined}
        phone={PhoneRow}
        keyOf={shape.keyOf}
        nameOf={({ merchant, currency, money }) => `${merchant.name}, ${printMoney(money.minor, currency)}`}
        selected={null}
        hrefOf={entriesOf}
        onOpen={open}
        empty={<Nothing title={text.noBalances} yet={text.noBalancesHint} />}
      />
    </Screen>
  );
}

function BalanceFilters({ address, onChange }: { address: KnownSearch; onChange(next: Search): void }) {
  const { search } = address;
  const text = words().ledger;
  return (
    <Filters address={address}>
      <SavedViews screen="payouts/balances" />
      <MerchantPill />
      <CurrencyPill />
      <Pill
        title={text.owed}
        value={search['owed']}
        options={Object.entries(text.sides)}
        onChange={(owed) => onChange({ owed })}
      />
      <Pill
        title={text.order}
        value={search['order']}
        options={[['AMOUNT', text.largest]]}
        onChange={(order) => onChange({ order })}
      />
    </Filters>
  );
}

function filterOf({ merchantId, currency, owed }: Search): MerchantBalanceFilter {
  return {
    merchantIds: merchantId ? [merchantId] : null,
    currencies: currency ? filterWords(currency) : null,
    ...sides[owed as keyof typeof sides],
  };
}

/** The entries of a balance, by the key of its row. */
function entriesOf(key: string): string {
  const [currency = '', ...merchantId] = key.split(' ');
  return `/payouts/entries${printSearch({ merchantId: merchantId.join(' '), currency })}`;
}

/** Of everything that fits, also of what is not drawn; asked again when the rows have changed. */
function Totals({ filter, pages }: { filter: MerchantBalanceFilter; pages: Pages<BalanceRowFragment> }) {
  const { data, error, isLoading, again } = useAsk(BalanceTotals, { filter });
  const { rows } = pages;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the rows may be one of the sums
  useEffect(() => {
    if (rows.length > 0) again();
  }, [rows]);
  const totals = data?.merchantBalances.totals ?? [];
  if (error && !data) return pages.error ? null : <PartRefused error={error} retry={again} />;
  if (!isLoading && totals.length === 0) return null;
  return (
    <section className={style.totals} aria-label={words().ledger.totals}>
      {isLoading ? <Skeleton width="180px" /> : null}
      <dl>
        {totals.map(({ currency, count, money }) => (
          <div key={currency}>
            <dt>{words().ledger.balances(printCount(count), count === 1)}</dt>
            <dd>
              <SignedMoney minor={money.minor} currency={currency} of="balance" />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function columnsOf(): Column<BalanceRowFragment>[] {
  const text = words().ledger;
  return [
    {
      id: 'merchant',
      title: words().payouts.merchant,
      cell: ({ merchant }) => <strong className="ellipsis">{merchant.name}</strong>,
    },
    {
      id: 'id',
      title: text.merchantId,
      isWide: true,
      cell: ({ merchant }) => <span className="mono soft">{merchant.merchantId}</span>,
    },
    {
      id: 'balance',
      title: text.balance,
      width: 200,
      isEnd: true,
      cell: ({ money, currency }) => (
        <strong>
          <SignedMoney minor={money.minor} currency={currency} of="balance" />
        </strong>
      ),
    },
  ];
}

function PhoneRow({ merchant, currency, money }: BalanceRowFragment) {
  return (
    <>
      <Pair
        start={<strong>{merchant.name}</strong>}
        end={
          <strong>
            <SignedMoney minor={money.minor} currency={currency} of="balance" />
          </strong>
        }
      />
      <Pair start={<span className="mono soft">{merchant.merchantId}</span>} end={null} />
    </>
  );
}
