// Where callbacks go, and how each address is doing.
import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { usePages } from '../graph/pages';
import { Chip, stateWord } from '../kit/chip';
import { Empty } from '../kit/states';
import { When } from '../kit/when';
import { List } from '../lists/list';
import { Pair } from '../lists/pair';
import type { Column } from '../lists/rows';
import { useAddress } from '../shell/address';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import { CallbackTabs } from './callbacks-screen';
import { type EndpointRowFragment, EndpointRows, type EndpointRowsQuery } from './queries';

const shape = {
  of: ({ callbackEndpoints }: EndpointRowsQuery) => callbackEndpoints,
  keyOf: ({ endpointId }: EndpointRowFragment) => endpointId,
};

export function EndpointsScreen() {
  const { open, hrefOf } = useAddress();
  const { endpointId = null } = useParams({ strict: false }) as { endpointId?: string };
  const text = words().callbacks;
  const pages = usePages(EndpointRows, {}, shape);
  const columns = useMemo(columnsOf, []);
  return (
    <Screen title={text.title} tools={<CallbackTabs />}>
      <List
        pages={pages}
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
      cell: ({ address }) => address ?? <span className="faint">{text.perApplication}</span>,
    },
    { id: 'kind', title: text.kind, width: 180, cell: ({ kind }) => stateWord(kind) },
    { id: 'health', title: text.health, width: 130, cell: ({ health }) => <Chip state={health.state} /> },
    {
      id: 'row',
      title: text.inARow,
      width: 110,
      isEnd: true,
      isWide: true,
      cell: ({ health }) => <span className="number">{health.exhaustedInARow}</span>,
    },
    { id: 'account', title: text.account, width: 120, cell: ({ accountId }) => accountId },
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
      <Pair start={address ?? stateWord(kind)} end={<Chip state={health.state} />} />
      <Pair start={<span className="soft">{stateWord(kind)}</span>} end={<span className="faint">{accountId}</span>} />
    </>
  );
}
