// Where callbacks go by the origin of their addresses: how many endpoints each has, in which health, and what waits for them.
import { useMemo } from 'react';
import { CallbackEndpointState } from '../graph/contract';
import { usePages } from '../graph/pages';
import { platformNow } from '../graph/platform-clock';
import { Chip } from '../kit/chip';
import { printTotal } from '../kit/count';
import { None } from '../kit/none';
import { toneOf } from '../kit/tone';
import { When } from '../kit/when';
import { Filters, Pill } from '../lists/filters';
import { List } from '../lists/list';
import { Nothing } from '../lists/nothing';
import { Pair } from '../lists/pair';
import type { Column } from '../lists/rows';
import { useKnownAddress } from '../lists/use-known';
import { printSearch } from '../shell/address';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import { CallbackTabs } from './callback-tabs';
import { type OriginRowFragment, OriginRows, type OriginRowsQuery } from './queries';

const known = { health: Object.values(CallbackEndpointState) };

const shape = {
  of: ({ callbackOrigins }: OriginRowsQuery) => callbackOrigins,
  keyOf: ({ origin }: OriginRowFragment) => origin,
};

export function OriginsScreen() {
  const { address, open, change } = useKnownAddress(known);
  const text = words().callbacks;
  const health = (address.search['health'] as CallbackEndpointState | undefined) ?? null;
  const pages = usePages(OriginRows, { health: health && [health] }, shape);
  const columns = useMemo(columnsOf, []);
  return (
    <Screen
      title={text.title}
      total={pages.total}
      tools={<CallbackTabs />}
      below={
        <Filters address={address}>
          <Pill
            title={text.health}
            value={health ?? undefined}
            options={known.health.map((state) => [state, <Chip key={state} state={state} />])}
            onChange={(next) => change({ health: next })}
          />
        </Filters>
      }
    >
      <List
        pages={pages}
        label={words().callbackFacts.origins}
        columns={columns}
        phone={PhoneRow}
        keyOf={shape.keyOf}
        nameOf={({ origin }) => origin}
        selected={null}
        hrefOf={(origin) => `/callbacks/endpoints${printSearch({ origin })}`}
        onOpen={open}
        empty={<Nothing title={text.noEndpoints} />}
      />
    </Screen>
  );
}

/** What has waited for longer than a first attempt takes has failed before. */
const attemptMsMax = 60_000;

/** Where something has failed, nothing is called healthy for its schedules that go on. */
function States({ health, undelivered: { oldestAt } }: Pick<OriginRowFragment, 'health' | 'undelivered'>) {
  const isFailing = oldestAt !== null && platformNow().getTime() - Date.parse(oldestAt) > attemptMsMax;
  const there = health.filter(({ state, total }) => total.value > 0 && !(isFailing && state === 'HEALTHY'));
  const { failingHint } = words().callbackFacts;
  return (
    <>
      {isFailing && there.length === 0 ? (
        <>
          <Chip state="DEGRADED" hint={failingHint} />{' '}
        </>
      ) : null}
      {there.map(({ state, total }) => (
        <span key={state}>
          <Chip state={state} tone={toneOf(state)} /> <span className="number soft">{printTotal(total)}</span>{' '}
        </span>
      ))}
    </>
  );
}

function columnsOf(): Column<OriginRowFragment>[] {
  const text = words().callbackFacts;
  return [
    { id: 'origin', title: text.origin, cell: ({ origin }) => <strong>{origin}</strong> },
    {
      id: 'endpoints',
      title: words().callbacks.endpoints,
      width: 110,
      isEnd: true,
      cell: ({ total }) => <span className="number">{printTotal(total)}</span>,
    },
    { id: 'health', title: words().callbacks.health, width: 300, cell: States },
    {
      id: 'waits',
      title: text.waits,
      width: 120,
      isEnd: true,
      cell: ({ undelivered }) => <span className="number">{printTotal(undelivered.total)}</span>,
    },
    {
      id: 'since',
      title: text.waitsSince,
      width: 160,
      isEnd: true,
      cell: ({ undelivered }) => (undelivered.oldestAt ? <When at={undelivered.oldestAt} /> : <None />),
    },
  ];
}

function PhoneRow({ origin, health, undelivered, total }: OriginRowFragment) {
  const text = words().callbackFacts;
  return (
    <>
      <Pair start={<strong>{origin}</strong>} end={<States health={health} undelivered={undelivered} />} />
      <Pair
        start={<span className="soft">{text.endpointsOf(printTotal(total), total.value === 1)}</span>}
        end={
          <span className="faint">{text.waiting(printTotal(undelivered.total), undelivered.total.value === 1)}</span>
        }
      />
    </>
  );
}
