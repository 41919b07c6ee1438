// What moved the money of merchants, newest first: charges, refunds, what was booked by hand, and payouts.

import { useMemo } from 'react';
import { EntryAction, type LedgerEntryFilter } from '../graph/contract';
import { usePages } from '../graph/pages';
import { stateWord } from '../kit/chip';
import { printMoney } from '../kit/money';
import { None } from '../kit/none';
import { BookDay, When } from '../kit/when';
import { ExportLink } from '../lists/export-link';
import { Filters, Pill } from '../lists/filters';
import { FollowTools } from '../lists/follow-tools';
import { filterWords, isCurrencyWord, type KnownSearch } from '../lists/known';
import { List } from '../lists/list';
import { useLiveList } from '../lists/live-list';
import { ManyPill } from '../lists/many-pill';
import { Nothing } from '../lists/nothing';
import { Pair } from '../lists/pair';
import { CurrencyPill, MerchantPill } from '../lists/pills/pills';
import { SpanPill } from '../lists/pills/span-pill';
import type { Column } from '../lists/rows';
import { SavedViews } from '../lists/saved-views';
import { isSpan, spanOf } from '../lists/spans';
import { useKnownAddress } from '../lists/use-known';
import { Happened } from '../live/queries';
import { printSearch, type Search } from '../shell/address';
import { Screen } from '../shell/shell';
import { timeZone, words } from '../strings/language';
import { bookEvents } from './book-events';
import { EntryDrawer } from './entry-drawer';
import { PayoutTabs } from './payout-tabs';
import style from './payouts.module.css';
import { type EntryRowFragment, EntryRows, type EntryRowsQuery } from './queries';
import { SignedMoney } from './signed-money';
import { entryGain } from './sums';

const known = {
  action: Object.values(EntryAction),
  currency: isCurrencyWord,
  since: isSpan,
  order: ['LARGEST'],
};

const shape = {
  of: ({ ledgerEntries }: EntryRowsQuery) => ledgerEntries,
  keyOf: ({ entryId }: EntryRowFragment) => entryId,
};

const source = { document: Happened, types: bookEvents };

export function EntriesScreen() {
  const { address, search, filters, open, change } = useKnownAddress(known);
  const text = words().ledger;
  const opened = search['entry'];
  const filter = useMemo(() => filterOf(filters), [filters]);
  const orderBy = search['order'] === 'LARGEST' ? 'LARGEST' : null;
  const asked = { filter, orderBy } as const;
  const pages = usePages(EntryRows, asked, shape);
  const columns = useMemo(columnsOf, []);
  const entry = pages.rows.find(({ entryId }) => entryId === opened);
  const live = useLiveList(
    {
      filter: asked,
      merchantId: search['merchantId'],
      pages,
      keyOf: shape.keyOf,
      isHeld: opened !== undefined,
      isSorted: orderBy !== null,
    },
    source,
  );
  return (
    <Screen
      title={words().navigation.entries}
      total={pages.total}
      tools={
        <>
          <ExportLink document={EntryRows} variables={asked} />
          <FollowTools live={live} />
          <PayoutTabs />
        </>
      }
      below={<EntryFilters address={address} onChange={change} />}
    >
      <List
        pages={pages}
        live={live}
        label={words().navigation.entries}
        columns={columns}
        sortedBy={[orderBy ? 'amount' : 'happened', 'descending']}
        phone={PhoneRow}
        keyOf={shape.keyOf}
        nameOf={(row) =>
          [stateWord(row.action), printMoney(entryGain(row), row.currency), row.reference].filter(Boolean).join(', ')
        }
        selected={opened ?? null}
        hrefOf={(key) => `/payouts/entries${printSearch({ ...search, entry: key })}`}
        onOpen={open}
        empty={<Nothing title={text.nothing} yet={text.nothingYet} />}
      />
      {opened ? <EntryDrawer entryId={opened} row={entry} onClose={() => change({ entry: '' })} /> : null}
    </Screen>
  );
}

function filterOf({ merchantId, action, currency, since }: Search): LedgerEntryFilter {
  return {
    merchantIds: merchantId ? [merchantId] : null,
    actions: action ? filterWords<EntryAction>(action) : null,
    currencies: currency ? filterWords(currency) : null,
    ...spanOf(since, timeZone()),
  };
}

function EntryFilters({ address, onChange }: { address: KnownSearch; onChange(next: Search): void }) {
  const { search } = address;
  const text = words().ledger;
  return (
    <Filters address={address}>
      <SavedViews screen="payouts/entries" />
      <ManyPill
        title={words().payouts.kind}
        value={search['action']}
        options={Object.values(EntryAction).map((action) => [action, stateWord(action)])}
        onChange={(action) => onChange({ action })}
      />
      <MerchantPill />
      <CurrencyPill />
      <SpanPill title={text.happened} />
      <Pill
        title={text.order}
        value={search['order']}
        options={[['LARGEST', text.largest]]}
        onChange={(order) => onChange({ order })}
      />
    </Filters>
  );
}

function columnsOf(): Column<EntryRowFragment>[] {
  const text = words().ledger;
  return [
    {
      id: 'amount',
      title: words().payouts.amount,
      width: 168,
      isEnd: true,
      cell: (row) => (
        <strong>
          <SignedMoney minor={entryGain(row)} currency={row.currency} of="movement" />
        </strong>
      ),
    },
    {
      id: 'kind',
      title: words().payouts.kind,
      width: 116,
      cell: ({ action }) => <span className={style.kind}>{stateWord(action)}</span>,
    },
    {
      id: 'reference',
      title: words().payouts.reference,
      cell: ({ reference }) => (reference ? <span className="mono">{reference}</span> : <None />),
    },
    { id: 'merchant', title: words().payouts.merchant, cell: ({ merchant }) => merchant.name },
    {
      id: 'fee',
      title: text.fee,
      width: 100,
      isEnd: true,
      isWide: true,
      cell: ({ fee, currency }) =>
        fee.minor === '0' ? <None /> : <span className="number soft">{printMoney(fee.minor, currency)}</span>,
    },
    {
      id: 'payout',
      title: words().payouts.paidOut,
      width: 130,
      isWide: true,
      cell: ({ payout }) => (payout ? <BookDay day={payout.date} /> : <span className="faint">{text.notPaidOut}</span>),
    },
    {
      id: 'happened',
      title: text.happened,
      width: 150,
      isEnd: true,
      cell: ({ occurredAt }) => (
        <span className="soft">
          <When at={occurredAt} />
        </span>
      ),
    },
  ];
}

function PhoneRow(row: EntryRowFragment) {
  return (
    <>
      <Pair
        start={
          <strong>
            <SignedMoney minor={entryGain(row)} currency={row.currency} of="movement" />
          </strong>
        }
        end={<span className={style.kind}>{stateWord(row.action)}</span>}
      />
      <Pair
        start={<span className="soft">{row.merchant.name}</span>}
        end={
          <span className="faint">
            <When at={row.occurredAt} />
          </span>
        }
      />
    </>
  );
}
