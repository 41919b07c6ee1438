// Everybody who sells through the platform, by name unless asked otherwise.

import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type MerchantFilter } from '../graph/contract';
import { usePages } from '../graph/pages';
import { BulkBar, useBulkActs } from '../jobs/bulk';
import { Chip, stateWord } from '../kit/chip';
import { When } from '../kit/when';
import { ExportLink } from '../lists/export-link';
import { Filters, Pill, TextFilter } from '../lists/filters';
import { FollowTools } from '../lists/follow-tools';
import type { KnownSearch } from '../lists/known';
import { List } from '../lists/list';
import { useLiveList } from '../lists/live-list';
import { Nothing } from '../lists/nothing';
import { Pair } from '../lists/pair';
import type { Column } from '../lists/rows';
import { SavedViews } from '../lists/saved-views';
import { useSelection } from '../lists/selection';
import { useKnownAddress } from '../lists/use-known';
import { printSearch, type Search } from '../shell/address';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import { merchantActs } from './life';
import {
  MerchantEvents,
  type MerchantEventsSubscription,
  type MerchantRowFragment,
  MerchantRows,
  type MerchantRowsQuery,
} from './queries';

const statuses = ['ACTIVE', 'INACTIVE', 'DELETED'] as const;
const bulkActs = ['DEACTIVATE_MERCHANT'] as const;

const known = { status: statuses, order: ['NEWEST'] };

const shape = {
  of: ({ merchants }: MerchantRowsQuery) => merchants,
  keyOf: ({ merchantId }: MerchantRowFragment) => merchantId,
  placeOf: ({ createdAt, merchantId }: MerchantRowFragment) => `${createdAt} ${merchantId}`,
};

const source = {
  document: MerchantEvents,
  types: null,
  actions: merchantActs,
  rowOf: ({ merchant }: MerchantEventsSubscription['events']) => merchant,
};

export function MerchantsScreen() {
  const { address, search, open, change, hrefOf } = useKnownAddress(known);
  const { merchantId = null } = useParams({ strict: false }) as { merchantId?: string };
  const text = words().merchants;
  const filter = useMemo(() => filterOf(search), [search]);
  const isNewestFirst = search['order'] === 'NEWEST';
  const asked = { filter, orderBy: isNewestFirst ? 'NEWEST' : 'NAME' } as const;
  const pages = usePages(MerchantRows, asked, shape);
  const columns = useMemo(columnsOf, []);
  const live = useLiveList(
    {
      filter: asked,
      pages,
      keyOf: shape.keyOf,
      isHeld: merchantId !== null,
      isSorted: !isNewestFirst,
      isWanted: (row) => isListed(row, filter),
    },
    source,
  );
  const acts = useBulkActs(bulkActs);
  const selection = useSelection(
    `merchants ${printSearch({ ...search, act: undefined })}`,
    useMemo(() => pages.rows.map(shape.keyOf), [pages.rows]),
  );
  return (
    <Screen
      title={text.title}
      total={pages.total}
      tools={
        <>
          <ExportLink document={MerchantRows} variables={asked} />
          <FollowTools live={live} />
        </>
      }
      below={<MerchantFilters address={address} onChange={change} />}
    >
      <List
        pages={pages}
        live={live}
        label={text.title}
        columns={columns}
        sortedBy={isNewestFirst ? ['created', 'descending'] : ['name', 'ascending']}
        phone={PhoneRow}
        keyOf={shape.keyOf}
        nameOf={({ name, status }) => `${name}, ${stateWord(status)}`}
        selected={merchantId}
        hrefOf={(key) => hrefOf(`/merchants/${encodeURIComponent(key)}`)}
        onOpen={open}
        selection={acts.length > 0 ? selection : null}
        empty={<Nothing title={text.nothing} />}
      />
      <BulkBar acts={acts} selection={selection} />
      <Outlet />
    </Screen>
  );
}

function MerchantFilters({ address, onChange }: { address: KnownSearch; onChange(next: Search): void }) {
  const { search } = address;
  const text = words().merchants;
  return (
    <Filters address={address}>
      <SavedViews screen="merchants" />
      <TextFilter label={text.filter} value={search['text']} onChange={(sought) => onChange({ text: sought })} />
      <Pill
        title={text.status}
        value={search['status']}
        options={statuses.map((status) => [status, <Chip key={status} state={status} />])}
        onChange={(status) => onChange({ status })}
      />
      <Pill
        title={words().ledger.order}
        value={search['order']}
        options={[['NEWEST', text.newest]]}
        onChange={(order) => onChange({ order })}
      />
    </Filters>
  );
}

function filterOf({ text, status }: Search): MerchantFilter {
  const isDeleted = status === 'DELETED';
  return {
    text: text ?? null,
    status: isDeleted ? null : ((status as MerchantFilter['status']) ?? null),
    isDeleted: isDeleted || null,
  };
}

function isListed(row: MerchantRowFragment, { text, status, isDeleted }: MerchantFilter): boolean {
  if (status && row.status !== status) return false;
  if (isDeleted && !row.deletedAt) return false;
  const sought = text?.toLowerCase() ?? '';
  return [row.merchantId, row.name, String(row.merchantNumber)].some((one) => one.toLowerCase().includes(sought));
}

/** A deleted merchant has no status of its own any more. */
export const merchantStatusOf = ({ status, deletedAt }: MerchantRowFragment) => (deletedAt ? 'DELETED' : status);

function columnsOf(): Column<MerchantRowFragment>[] {
  const text = words().merchants;
  return [
    { id: 'name', title: text.name, cell: ({ name }) => <strong className="ellipsis">{name}</strong> },
    { id: 'status', title: text.status, width: 120, cell: (row) => <Chip state={merchantStatusOf(row)} /> },
    { id: 'id', title: text.id, cell: ({ merchantId }) => <span className="mono">{merchantId}</span> },
    {
      id: 'number',
      title: text.number,
      width: 110,
      isEnd: true,
      cell: ({ merchantNumber }) => <span className="number">{merchantNumber}</span>,
    },
    { id: 'account', title: text.account, cell: ({ account }) => account.name },
    { id: 'country', title: text.country, width: 90, isWide: true, cell: ({ country }) => country ?? '–' },
    { id: 'currency', title: text.currency, width: 90, isWide: true, cell: ({ currency }) => currency },
    {
      id: 'created',
      title: text.created,
      width: 150,
      isEnd: true,
      cell: ({ createdAt }) => (
        <span className="soft">
          <When at={createdAt} />
        </span>
      ),
    },
  ];
}

function PhoneRow(row: MerchantRowFragment) {
  return (
    <>
      <Pair start={<strong>{row.name}</strong>} end={<Chip state={merchantStatusOf(row)} />} />
      <Pair
        start={<span className="soft mono">{row.merchantId}</span>}
        end={<span className="faint">{row.account.name}</span>}
      />
    </>
  );
}
