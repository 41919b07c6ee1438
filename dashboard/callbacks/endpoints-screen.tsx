// Where callbacks go, and how each address is doing.

import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { CallbackEndpointState } from '../graph/contract';
import { usePages } from '../graph/pages';
import { Chip, stateWord } from '../kit/chip';
import { Empty } from '../kit/states';
import { When } from '../kit/when';
import { Filters, Pill } from '../lists/filters';
import { FollowTools } from '../lists/follow-tools';
import { List } from '../lists/list';
import { useLiveList } from '../lists/live-list';
import { Pair } from '../lists/pair';
import type { Column } from '../lists/rows';
import { typesOf } from '../live/feed-kinds';
import { useAddress } from '../shell/address';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import { answerOf } from './attempt-word';
import { CallbackTabs } from './callbacks-screen';
import {
  EndpointEvents,
  type EndpointEventsSubscription,
  type EndpointRowFragment,
  EndpointRows,
  type EndpointRowsQuery,
} from './queries';

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
  const { search, open, change, hrefOf } = useAddress();
  const { endpointId = null } = useParams({ strict: false }) as { endpointId?: string };
  const text = words().callbacks;
  const wanted = Object.values(CallbackEndpointState).find((state) => state === search['health']);
  const filter = { health: wanted ? [wanted] : null };
  const pages = usePages(EndpointRows, filter, shape);
  const columns = useMemo(columnsOf, []);
  const live = useLiveList(
    {
      filter,
      pages,
      keyOf: shape.keyOf,
      isHeld: endpointId !== null,
      isWanted: ({ health }) => !wanted || wanted === health.state,
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
        <Filters>
          <Pill
            title={text.health}
            value={wanted}
            options={Object.values(CallbackEndpointState).map((state) => [state, <Chip key={state} state={state} />])}
            onChange={(health) => change({ health })}
          />
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
        nameOf={({ address, kind, health }) => `${address ?? stateWord(kind)}, ${stateWord(health.state)}`}
        selected={endpointId}
        hrefOf={(key) => hrefOf(`/callbacks/endpoints/${key}`)}
        onOpen={open}
        empty={<Empty title={text.noEndpoints} />}
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
      cell: ({ address, kind }) => <Address address={address} kind={kind} />,
    },
    { id: 'kind', title: text.kind, width: 165, cell: ({ kind }) => stateWord(kind) },
    { id: 'health', title: text.health, width: 110, cell: ({ health }) => <Chip state={health.state} /> },
    {
      id: 'answer',
      title: text.answer,
      width: 120,
      cell: ({ lastAttempt }) => <span className="soft">{answerOf(lastAttempt)}</span>,
    },
    {
      id: 'row',
      title: text.inARow,
      width: 128,
      isEnd: true,
      isWide: true,
      cell: ({ health }) => <span className="number">{health.exhaustedInARow}</span>,
    },
    { id: 'account', title: text.account, width: 102, cell: ({ accountId }) => accountId },
    {
      id: 'changed',
      title: text.changed,
      width: 150,
      isEnd: true,
      cell: ({ health }) => (
        <span className="soft">
          <When at={health.changedAt} />
        </span>
      ),
    },
  ];
}

function PhoneRow({ address, kind, health, accountId }: EndpointRowFragment) {
  return (
    <>
      <Pair start={<Address address={address} kind={kind} />} end={<Chip state={health.state} />} />
      <Pair start={<span className="soft">{stateWord(kind)}</span>} end={<span className="faint">{accountId}</span>} />
    </>
  );
}

function Address({ address, kind }: Pick<EndpointRowFragment, 'address' | 'kind'>) {
  if (address) return address;
  const { perApplication, perOrder, noAddress } = words().callbacks;
  const said: Partial<Record<typeof kind, string>> = {
    ONBOARDING_WEBHOOK: perApplication,
    MERCHANT_NOTIFICATION: perOrder,
  };
  return <span className="faint">{said[kind] ?? noAddress}</span>;
}
