// Where callbacks go, and how each address is doing.

import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useAsk } from '../graph/ask';
import { CallbackEndpointState } from '../graph/contract';
import { usePages } from '../graph/pages';
import { Chip, stateWord } from '../kit/chip';
import { Middle } from '../kit/middle';
import { Filters, Pill } from '../lists/filters';
import { FollowTools } from '../lists/follow-tools';
import { List } from '../lists/list';
import { useLiveList } from '../lists/live-list';
import { Nothing } from '../lists/nothing';
import { Pair } from '../lists/pair';
import type { Column } from '../lists/rows';
import { useKnownAddress } from '../lists/use-known';
import { typesOf } from '../live/feed-kinds';
import { useAddress } from '../shell/address';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import { answerOf } from './attempt-word';
import { CallbackTabs } from './callback-tabs';
import { HealthChip, isLosing, LastOutcomes } from './facts-of';
import {
  EndpointEvents,
  type EndpointEventsSubscription,
  type EndpointRowFragment,
  EndpointRows,
  type EndpointRowsQuery,
  OriginRows,
} from './queries';

const known = { health: Object.values(CallbackEndpointState) };
const originsMax = 100;

const shape = {
  of: ({ callbackEndpoints }: EndpointRowsQuery) => callbackEndpoints,
  keyOf: ({ endpointId }: EndpointRowFragment) => endpointId,
};

const source = {
  document: EndpointEvents,
  types: typesOf('endpoints'),
  rowOf: (event: EndpointEventsSubscription['events']) =>
    event.__typename === 'CallbackEndpointEvent' ? event.endpoint : null,
};

export function EndpointsScreen() {
  const { address, search, open, change, hrefOf } = useKnownAddress(known);
  const { endpointId = null } = useParams({ strict: false }) as { endpointId?: string };
  const text = words().callbacks;
  const wanted = Object.values(CallbackEndpointState).find((state) => state === search['health']);
  const origin = search['origin'] ?? null;
  const filter = { health: wanted ? [wanted] : null, origin };
  const pages = usePages(EndpointRows, filter, shape);
  const columns = useMemo(columnsOf, []);
  const live = useLiveList(
    {
      filter,
      pages,
      keyOf: shape.keyOf,
      isHeld: endpointId !== null,
      isWanted: ({ health, address: at }) =>
        (!wanted || wanted === health.state) && (!origin || originOf(at) === origin),
    },
    source,
  );
  return (
    <Screen
      title={text.title}
      total={pages.total}
      tools={
        <>
          <FollowTools live={live} />
          <CallbackTabs />
        </>
      }
      below={
        <Filters address={address}>
          <Pill
            title={text.health}
            value={wanted}
            options={Object.values(CallbackEndpointState).map((state) => [state, <Chip key={state} state={state} />])}
            onChange={(health) => change({ health })}
          />
          <OriginPill />
        </Filters>
      }
    >
      <List
        pages={pages}
        live={live}
        label={text.endpoints}
        columns={columns}
        phone={PhoneRow}
        keyOf={shape.keyOf}
        nameOf={({ address, kind, health, merchants, account }) =>
          [address ?? stateWord(kind), merchants[0]?.name ?? account?.name, stateWord(health.state)]
            .filter(Boolean)
            .join(', ')
        }
        selected={endpointId}
        hrefOf={(key) => hrefOf(`/callbacks/endpoints/${key}`)}
        onOpen={open}
        empty={<Nothing title={text.noEndpoints} />}
      />
      <Outlet />
    </Screen>
  );
}

function columnsOf(): Column<EndpointRowFragment>[] {
  const text = words().callbacks;
  return [
    {
      id: 'address',
      title: text.address,
      least: 220,
      cell: ({ address, kind }) => <Address address={address} kind={kind} />,
    },
    { id: 'of', title: words().callbackFacts.of, least: 130, cell: (endpoint) => <Owner of={endpoint} /> },
    { id: 'kind', title: text.kind, width: 196, isWide: true, cell: ({ kind }) => stateWord(kind) },
    { id: 'health', title: text.health, width: 104, cell: (endpoint) => <HealthChip endpoint={endpoint} /> },
    {
      id: 'lately',
      title: words().callbackFacts.lately,
      width: 206,
      cell: ({ lastOutcomes }) => <LastOutcomes of={lastOutcomes} />,
    },
    {
      id: 'answer',
      title: text.answer,
      width: 212,
      cell: ({ lastAttempt }) => <span className="soft">{answerOf(lastAttempt)}</span>,
    },
  ];
}

function PhoneRow(endpoint: EndpointRowFragment) {
  const { address, kind, lastOutcomes } = endpoint;
  return (
    <>
      <Pair start={<Address address={address} kind={kind} />} end={<HealthChip endpoint={endpoint} />} />
      <Pair
        start={
          <span className="soft">
            <Owner of={endpoint} /> · {stateWord(kind)}
          </span>
        }
        end={isLosing(lastOutcomes) ? <LastOutcomes of={lastOutcomes} /> : null}
      />
    </>
  );
}

/** Whose callbacks went there last, else whose endpoint it is: those of one address are told apart by it. */
function Owner({ of: { merchants, account, accountId } }: { of: EndpointRowFragment }) {
  const [first] = merchants;
  if (!first) return <span className="soft">{account?.name ?? accountId}</span>;
  const others = merchants.length - 1;
  const names = merchants.map(({ name }) => name).join(', ');
  return <span title={names}>{others > 0 ? `${first.name} +${others}` : first.name}</span>;
}

function originOf(address: string | null): string | null {
  return address && new URL(address).origin;
}

function OriginPill() {
  const { search, change } = useAddress();
  const { data } = useAsk(OriginRows, { health: null, first: originsMax, after: null });
  const origins = data?.callbackOrigins.edges.map(({ node }) => node.origin) ?? [];
  const chosen = search['origin'];
  return (
    <Pill
      title={words().callbackFacts.origin}
      value={chosen}
      options={[...new Set(chosen ? [...origins, chosen] : origins)].map((origin) => [origin, origin])}
      onChange={(origin) => change({ origin })}
    />
  );
}

function Address({ address, kind }: Pick<EndpointRowFragment, 'address' | 'kind'>) {
  if (address) return <Middle text={address} />;
  const { perApplication, perOrder, noAddress } = words().callbacks;
  const said: Partial<Record<typeof kind, string>> = {
    ONBOARDING_WEBHOOK: perApplication,
    MERCHANT_NOTIFICATION: perOrder,
  };
  return <span className="faint">{said[kind] ?? noAddress}</span>;
}
