// What merchants were paid out, newest first.
import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { usePages } from '../graph/pages';
import { Chip } from '../kit/chip';
import { printCount } from '../kit/count';
import { printMoney } from '../kit/money';
import { BookDay } from '../kit/when';
import { ExportLink } from '../lists/export-link';
import { Filters, Pill } from '../lists/filters';
import { FollowTools } from '../lists/follow-tools';
import { type KnownSearch } from '../lists/known';
import { List } from '../lists/list';
import { useLiveList } from '../lists/live-list';
import { Nothing } from '../lists/nothing';
import { Pair } from '../lists/pair';
import { MerchantPill } from '../lists/pills/pills';
import { SpanPill } from '../lists/pills/span-pill';
import type { Column } from '../lists/rows';
import { SavedViews } from '../lists/saved-views';
import { chosenDaysOf, isDays } from '../lists/spans';
import { useKnownAddress } from '../lists/use-known';
import { typesOf } from '../live/feed-kinds';
import { type Search } from '../shell/address';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import { PayoutTabs } from './payout-tabs';
import {
  PayoutEvents,
  type PayoutEventsSubscription,
  type PayoutRowFragment,
  PayoutRows,
  type PayoutRowsQuery,
} from './queries';
import { differenceOf } from './sums';

const known = { reconciled: ['true', 'false'], since: isDays };

const shape = {
  of: ({ payouts }: PayoutRowsQuery) => payouts,
  keyOf: ({ payoutId }: PayoutRowFragment) => payoutId,
  placeOf: ({ date, payoutId }: PayoutRowFragment) => `${date} ${payoutId}`,
};

const source = {
  document: PayoutEvents,
  types: typesOf('payouts'),
  rowOf: (event: PayoutEventsSubscription['events']) => (event.__typename === 'PayoutEvent' ? event.payout : null),
};

export function PayoutsScreen() {
  const { address, search, open, change, hrefOf } = useKnownAddress(known);
  const { payoutId = null } = useParams({ strict: false }) as { payoutId?: string };
  const text = words().payouts;
  const merchantId = search['merchantId'] ?? null;
  const reconciled = wordOf(search['reconciled']);
  // Days of the books, which have no zone.
  const days = chosenDaysOf(search['since']);
  const asked = { merchantId, from: days?.first || null, to: days?.last || null, reconciled };
  const pages = usePages(PayoutRows, asked, shape);
  const columns = useMemo(columnsOf, []);
  const live = useLiveList(
    {
      filter: asked,
      merchantId,
      pages,
      keyOf: shape.keyOf,
      isHeld: payoutId !== null,
      isWanted: (payout) =>
        (!merchantId || merchantId === payout.merchant.merchantId) &&
        (reconciled === null || reconciled === payout.reconciled) &&
        (!asked.from || payout.date >= asked.from) &&
        (!asked.to || payout.date <= asked.to),
    },
    source,
  );
  return (
    <Screen
      title={text.title}
      total={pages.total}
      tools={
        <>
          <ExportLink document={PayoutRows} variables={asked} />
          <FollowTools live={live} />
          <PayoutTabs />
        </>
      }
      below={<PayoutFilters address={address} onChange={change} />}
    >
      <List
        pages={pages}
        live={live}
        label={text.title}
        columns={columns}
        sortedBy={['date', 'descending']}
        phone={PhoneRow}
        keyOf={shape.keyOf}
        nameOf={({ merchant, date, amount, currency }) => `${merchant.name}, ${date}, ${printMoney(amount, currency)}`}
        selected={payoutId}
        hrefOf={(key) => hrefOf(`/payouts/${key}`)}
        onOpen={open}
        empty={<Nothing title={text.nothing} yet={text.nothingYet} />}
      />
      <Outlet />
    </Screen>
  );
}

function wordOf(reconciled: string | undefined): boolean | null {
  return reconciled === 'true' || reconciled === 'false' ? reconciled === 'true' : null;
}

function PayoutFilters({ address, onChange }: { address: KnownSearch; onChange(next: Search): void }) {
  const { search } = address;
  const text = words().payouts;
  return (
    <Filters address={address}>
      <SavedViews screen="payouts" />
      <MerchantPill />
      <Pill
        title={text.check}
        value={search['reconciled']}
        options={[
          ['true', text.reconciled],
          ['false', text.differs],
        ]}
        onChange={(reconciled) => onChange({ reconciled })}
      />
      <SpanPill title={text.date} hasSpans={false} />
    </Filters>
  );
}

/** Whether the parts of a payout add up to it, and its entries to its parts. */
export function Reconciled({ payout }: { payout: PayoutRowFragment }) {
  const text = words().payouts;
  const isRight = payout.reconciled && differenceOf(payout) === 0n;
  return <Chip state={isRight ? text.reconciled : text.differs} tone={isRight ? 'good' : 'bad'} />;
}

function columnsOf(): Column<PayoutRowFragment>[] {
  const text = words().payouts;
  return [
    { id: 'date', title: text.date, width: 130, cell: ({ date }) => <BookDay day={date} /> },
    {
      id: 'amount',
      title: text.amount,
      width: 150,
      isEnd: true,
      cell: ({ amount, currency }) => <strong className="number">{printMoney(amount, currency)}</strong>,
    },
    { id: 'merchant', title: text.merchant, cell: ({ merchant }) => merchant.name },
    {
      id: 'actions',
      title: text.actions,
      width: 90,
      isEnd: true,
      cell: ({ sums }) => <span className="number">{printCount(sums.actionCount)}</span>,
    },
    {
      id: 'fees',
      title: text.fees,
      width: 120,
      isEnd: true,
      isWide: true,
      cell: ({ sums, currency }) => <span className="number soft">{printMoney(sums.fees, currency)}</span>,
    },
    { id: 'reconciled', title: text.check, width: 140, cell: (payout) => <Reconciled payout={payout} /> },
    { id: 'reference', title: text.reference, cell: ({ reference }) => <span className="mono">{reference}</span> },
  ];
}

function PhoneRow(payout: PayoutRowFragment) {
  return (
    <>
      <Pair
        start={<strong className="number">{printMoney(payout.amount, payout.currency)}</strong>}
        end={<Reconciled payout={payout} />}
      />
      <Pair
        start={<span className="soft">{payout.merchant.name}</span>}
        end={
          <span className="faint">
            <BookDay day={payout.date} />
          </span>
        }
      />
    </>
  );
}
