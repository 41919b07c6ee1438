// Tokenized cards, never their numbers.

import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type VirtualAccountFilter, VirtualAccountState } from '../graph/contract';
import { usePages } from '../graph/pages';
import { Chip } from '../kit/chip';
import { shortCard } from '../kit/masked';
import { When } from '../kit/when';
import { Filters, Pill } from '../lists/filters';
import { FollowTools } from '../lists/follow-tools';
import { type KnownSearch } from '../lists/known';
import { List } from '../lists/list';
import { useLiveList } from '../lists/live-list';
import { Nothing } from '../lists/nothing';
import { Pair } from '../lists/pair';
import { MerchantPill } from '../lists/pills/pills';
import type { Column } from '../lists/rows';
import { SavedViews } from '../lists/saved-views';
import { useKnownAddress } from '../lists/use-known';
import { typesOf } from '../live/feed-kinds';
import { type Search } from '../shell/address';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import {
  TokenEvents,
  type TokenEventsSubscription,
  type TokenRowFragment,
  TokenRows,
  type TokenRowsQuery,
} from './queries';

const known = { state: Object.values(VirtualAccountState) };

const shape = {
  of: ({ virtualAccounts }: TokenRowsQuery) => virtualAccounts,
  keyOf: ({ virtualAccountId }: TokenRowFragment) => virtualAccountId,
  placeOf: ({ virtualAccountId }: TokenRowFragment) => virtualAccountId,
};

const source = {
  document: TokenEvents,
  types: typesOf('tokens'),
  rowOf: (event: TokenEventsSubscription['events']) =>
    event.__typename === 'TokenEvent' ? event.virtualAccount : null,
};

export function TokensScreen() {
  const { address, search, open, change, hrefOf } = useKnownAddress(known);
  const { tokenId = null } = useParams({ strict: false }) as { tokenId?: string };
  const text = words().tokens;
  const filter = useMemo(
    () => ({
      state: (search['state'] as VirtualAccountFilter['state']) ?? null,
      merchantId: search['merchantId'] ?? null,
    }),
    [search],
  );
  const pages = usePages(TokenRows, { filter }, shape);
  const columns = useMemo(columnsOf, []);
  const live = useLiveList(
    {
      filter,
      merchantId: filter.merchantId,
      pages,
      keyOf: shape.keyOf,
      isHeld: tokenId !== null,
      isWanted: ({ state, merchant }) =>
        (!filter.state || filter.state === state) && (!filter.merchantId || filter.merchantId === merchant.merchantId),
    },
    source,
  );
  return (
    <Screen
      title={text.title}
      total={pages.total}
      tools={<FollowTools live={live} />}
      below={<TokenFilters address={address} onChange={change} />}
    >
      <List
        pages={pages}
        live={live}
        label={text.title}
        columns={columns}
        sortedBy={['created', 'descending']}
        phone={PhoneRow}
        keyOf={shape.keyOf}
        nameOf={({ accountMasked, merchant }) => `${accountMasked}, ${merchant.name}`}
        selected={tokenId}
        hrefOf={(key) => hrefOf(`/tokens/${key}`)}
        onOpen={open}
        empty={<Nothing title={text.nothing} />}
      />
      <Outlet />
    </Screen>
  );
}

/** MMYYYY as people write it. */
export function printExpiry(expiry: string): string {
  return `${expiry.slice(0, 2)}/${expiry.slice(-2)}`;
}

function columnsOf(): Column<TokenRowFragment>[] {
  const text = words().tokens;
  return [
    {
      id: 'card',
      title: text.card,
      width: 190,
      cell: ({ accountMasked, accountExpiry }) => (
        <>
          <strong className="number" title={accountMasked}>
            {shortCard(accountMasked)}
          </strong>{' '}
          <span className="faint number">{printExpiry(accountExpiry)}</span>
        </>
      ),
    },
    { id: 'state', title: text.state, width: 130, cell: ({ state }) => <Chip state={state} /> },
    {
      id: 'token',
      title: text.token,
      width: 190,
      cell: ({ tokenMasked, tokenExpiry }) => (
        <>
          <span className="number" title={tokenMasked}>
            {shortCard(tokenMasked)}
          </span>{' '}
          <span className="faint number">{printExpiry(tokenExpiry)}</span>
        </>
      ),
    },
    { id: 'par', title: text.par, isWide: true, cell: ({ par }) => <span className="mono">{par ?? '–'}</span> },
    { id: 'merchant', title: text.merchant, cell: ({ merchant }) => merchant.name },
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

function PhoneRow({ accountMasked, accountExpiry, state, merchant, createdAt }: TokenRowFragment) {
  return (
    <>
      <Pair
        start={<strong className="number">{`${shortCard(accountMasked)} ${printExpiry(accountExpiry)}`}</strong>}
        end={<Chip state={state} />}
      />
      <Pair
        start={<span className="soft">{merchant.name}</span>}
        end={
          <span className="faint">
            <When at={createdAt} />
          </span>
        }
      />
    </>
  );
}

function TokenFilters({ address, onChange }: { address: KnownSearch; onChange(next: Search): void }) {
  const { search } = address;
  const text = words().tokens;
  return (
    <Filters address={address}>
      <SavedViews screen="tokens" />
      <Pill
        title={text.state}
        value={search['state']}
        options={Object.values(VirtualAccountState).map((state) => [state, <Chip key={state} state={state} />])}
        onChange={(state) => onChange({ state })}
      />
      <MerchantPill />
    </Filters>
  );
}
