// All payments, newest first unless asked otherwise: filters and order stand in the address, a row opens the payment beside the list, and new ones come in by themselves.

import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type JobAct, type PaymentFilter, type PaymentOrder, PaymentState } from '../graph/contract';
import { usePages } from '../graph/pages';
import { BulkBar, useBulkActs } from '../jobs/bulk';
import { Chip, stateWord } from '../kit/chip';
import { shortCard } from '../kit/masked';
import { printMoney } from '../kit/money';
import { None } from '../kit/none';
import { When } from '../kit/when';
import { ExportLink } from '../lists/export-link';
import { Filters, Pill, TextFilter } from '../lists/filters';
import { FollowTools } from '../lists/follow-tools';
import { filterWords, isCurrencyWord, type KnownSearch } from '../lists/known';
import { List } from '../lists/list';
import { useLiveList } from '../lists/live-list';
import { ManyPill } from '../lists/many-pill';
import { MoreFilters } from '../lists/more-filters';
import { Nothing } from '../lists/nothing';
import { AmountPill, amountsOf, isAmounts } from '../lists/pills/amount-pill';
import { ahead, CurrencyPill, ExpiresPill, MerchantPill, spanEnd } from '../lists/pills/pills';
import { SpanPill } from '../lists/pills/span-pill';
import type { Column } from '../lists/rows';
import { SavedViews } from '../lists/saved-views';
import { useSelection } from '../lists/selection';
import { isSpan, spanOf } from '../lists/spans';
import { useKnownAddress } from '../lists/use-known';
import { typesOf } from '../live/feed-kinds';
import { printSearch, type Search } from '../shell/address';
import { Screen } from '../shell/shell';
import { timeZone, words } from '../strings/language';
import style from './payments.module.css';
import { rowCan } from './possible-acts';
import {
  PaymentEvents,
  type PaymentEventsSubscription,
  type PaymentRowFragment,
  PaymentRows,
  type PaymentRowsQuery,
} from './queries';

/** Beside the usual one. */
const orders = ['OLDEST', 'EXPIRING_SOONEST'] as const satisfies readonly PaymentOrder[];

const bulkActs = ['CAPTURE_PAYMENT', 'REFUND_PAYMENT', 'VOID_PAYMENT'] as const;

const known = {
  state: Object.values(PaymentState),
  family: ['checkout', 'paymentService'],
  currency: isCurrencyWord,
  amount: isAmounts,
  since: isSpan,
  expires: Object.keys(ahead),
  order: orders,
};

const shape = {
  of: ({ payments }: PaymentRowsQuery) => payments,
  keyOf: ({ paymentId }: PaymentRowFragment) => paymentId,
  placeOf: ({ createdAt, paymentId }: PaymentRowFragment) => `${createdAt} ${paymentId}`,
};

const source = {
  document: PaymentEvents,
  types: typesOf('payments'),
  rowOf: (event: PaymentEventsSubscription['events']) => (event.__typename === 'OperationEvent' ? event.payment : null),
};

export function PaymentsScreen() {
  const { address, search, filters, open, change, hrefOf } = useKnownAddress(known);
  const { paymentId = null } = useParams({ strict: false });
  const text = words().payments;
  const filter = useMemo(() => filterOf(filters), [filters]);
  const orderBy = orderOf(search);
  const asked = { filter, orderBy } as const;
  const pages = usePages(PaymentRows, asked, shape);
  const isOfReservations = orderBy === 'EXPIRING_SOONEST' || Boolean(filter.authorizationExpiresTo);
  const columns = useMemo(() => columnsOf(isOfReservations), [isOfReservations]);
  const acts = useBulkActs(bulkActs);
  const selection = useSelection(
    `payments ${printSearch({ ...search, act: undefined })}`,
    useMemo(() => pages.rows.map(shape.keyOf), [pages.rows]),
  );
  const live = useLiveList(
    {
      filter: asked,
      merchantId: filter.merchantId,
      pages,
      keyOf: shape.keyOf,
      isHeld: paymentId !== null || selection.chosen.size > 0,
      isSorted: orderBy !== null,
      isWanted: (payment) => matches(filter, payment) && (!isOfReservations || isReserved(filter, payment)),
    },
    source,
  );
  return (
    <Screen
      title={text.title}
      total={pages.total}
      tools={
        <>
          <ExportLink document={PaymentRows} variables={asked} />
          <FollowTools live={live} />
        </>
      }
      below={<PaymentFilters address={address} onChange={change} />}
    >
      <List
        pages={pages}
        live={live}
        label={text.title}
        columns={columns}
        sortedBy={placesOf(orderBy)}
        phone={PhoneRow}
        keyOf={shape.keyOf}
        nameOf={nameOf}
        selected={paymentId}
        hrefOf={(key) => hrefOf(`/payments/${key}`)}
        onOpen={open}
        selection={acts.length > 0 ? selection : null}
        empty={<Nothing title={text.nothing} yet={text.nothingYet} />}
      />
      <BulkBar acts={acts} selection={selection} isOffered={(act) => canSome(act, selection.chosen, pages.rows)} />
      <Outlet />
    </Screen>
  );
}

/** Of those that are chosen and not shown any more nothing is known. */
function canSome(act: JobAct, chosen: ReadonlySet<string>, rows: readonly PaymentRowFragment[]): boolean {
  const shown = rows.filter((row) => chosen.has(shape.keyOf(row)));
  return shown.length < chosen.size || shown.some((row) => rowCan(act, row));
}

/** Which column tells the order. */
function placesOf(order: PaymentOrder | null) {
  if (order === 'EXPIRING_SOONEST') return ['expires', 'ascending'] as const;
  return ['created', order === 'OLDEST' ? 'ascending' : 'descending'] as const;
}

function orderOf({ order }: Search): PaymentOrder | null {
  return orders.find((each) => each === order) ?? null;
}

function filterOf(search: Search): PaymentFilter {
  const { orderId, merchantId, family, since, expires, amount } = search;
  const [states, currencies] = [filterWords<PaymentState>(search['state']), filterWords(search['currency'])];
  return {
    states: states.length > 0 ? states : null,
    orderId: orderId ?? null,
    merchantId: merchantId ?? null,
    currencies: currencies.length > 0 ? currencies : null,
    family: (family as PaymentFilter['family']) ?? null,
    ...amountsOf(amount),
    ...spanOf(since, timeZone()),
    authorizationExpiresTo: spanEnd(expires),
  };
}

/** As the graph judges by the same filter; what it cannot tell by the row it leaves out. */
function matches(filter: PaymentFilter, payment: PaymentRowFragment): boolean {
  const { states, orderId, merchantId, currencies, family, minAmount, maxAmount, from, to } = filter;
  const is = (wanted: string | null | undefined, actual: string | null) => !wanted || wanted === actual;
  const amount = BigInt(payment.amount ?? 0);
  return (
    (!states || states.includes(payment.state)) &&
    is(orderId, payment.orderId) &&
    is(merchantId, payment.merchant.merchantId) &&
    (!currencies || currencies.includes(payment.currency)) &&
    is(family, payment.family) &&
    (!minAmount || amount >= BigInt(minAmount)) &&
    (!maxAmount || amount <= BigInt(maxAmount)) &&
    (!from || payment.createdAt >= from) &&
    (!to || payment.createdAt <= to)
  );
}

function isReserved({ authorizationExpiresTo: end }: PaymentFilter, payment: PaymentRowFragment): boolean {
  const { state, authorizationExpiresAt } = payment;
  return state === 'Authorized' && (!end || (authorizationExpiresAt !== null && authorizationExpiresAt <= end));
}

function nameOf({ amount, currency, state, orderId }: PaymentRowFragment): string {
  return `${printMoney(amount, currency)}, ${stateWord(state)}${orderId ? `, ${orderId}` : ''}`;
}

function columnsOf(isOfReservations: boolean): Column<PaymentRowFragment>[] {
  const text = words().payments;
  return [
    {
      id: 'amount',
      title: text.amount,
      width: 176,
      isEnd: true,
      cell: ({ amount, currency }) => <span className={`number ${style.amount}`}>{printMoney(amount, currency)}</span>,
    },
    { id: 'state', title: text.state, width: 172, cell: ({ state }) => <Chip state={state} /> },
    {
      id: 'order',
      title: text.order,
      cell: ({ orderId, paymentId }) => <span className="mono">{orderId ?? paymentId}</span>,
    },
    {
      id: 'instrument',
      title: text.instrument,
      isWide: true,
      cell: ({ instrumentInfo }) =>
        (instrumentInfo && <span title={instrumentInfo}>{shortCard(instrumentInfo)}</span>) || <None />,
    },
    { id: 'merchant', title: text.merchant, cell: ({ merchant }) => merchant.name },
    {
      id: 'family',
      title: text.family,
      isWide: true,
      cell: ({ family }) => <span className="soft">{words().families[family]}</span>,
    },
    {
      id: isOfReservations ? 'expires' : 'created',
      title: isOfReservations ? text.expires : text.created,
      width: 150,
      isEnd: true,
      cell: ({ createdAt, authorizationExpiresAt }) => (
        <span className="soft">
          <When at={isOfReservations ? authorizationExpiresAt : createdAt} />
        </span>
      ),
    },
  ];
}

function PhoneRow({ amount, currency, state, orderId, merchant, createdAt }: PaymentRowFragment) {
  return (
    <>
      <span className={style.pair}>
        <span className={`number ${style.amount}`}>{printMoney(amount, currency)}</span>
        <Chip state={state} />
      </span>
      <span className={style.pair}>
        <span className="soft ellipsis">{orderId ?? merchant.name}</span>
        <span className="faint">
          <When at={createdAt} />
        </span>
      </span>
    </>
  );
}

function PaymentFilters({ address, onChange }: { address: KnownSearch; onChange(next: Search): void }) {
  const { search } = address;
  const text = words().payments;
  return (
    <Filters address={address}>
      <SavedViews screen="payments" />
      <TextFilter label={text.filterOrder} value={search['orderId']} onChange={(orderId) => onChange({ orderId })} />
      <ManyPill
        title={text.state}
        value={search['state']}
        options={Object.values(PaymentState).map((state) => [state, <Chip key={state} state={state} />])}
        onChange={(state) => onChange({ state })}
      />
      <MerchantPill />
      <SpanPill title={text.created} />
      <AmountPill />
      <Pill
        title={text.sortedBy}
        value={search['order']}
        options={orders.map((order) => [order, text.orders[order]])}
        onChange={(order) => onChange({ order })}
      />
      <MoreFilters
        pills={{
          currency: <CurrencyPill />,
          family: (
            <Pill
              title={text.family}
              value={search['family']}
              options={Object.entries(words().families)}
              onChange={(family) => onChange({ family })}
            />
          ),
          expires: <ExpiresPill />,
        }}
      />
    </Filters>
  );
}
