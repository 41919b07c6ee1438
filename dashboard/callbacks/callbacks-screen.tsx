// Every callback: what was told to whom, how far it has come, and what can be sent again.

import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { type CallbackFilter, CallbackKind, CallbackStatus } from '../graph/contract';
import { usePages } from '../graph/pages';
import { BulkBar, useBulkActs } from '../jobs/bulk';
import { stateWord } from '../kit/chip';
import { Middle } from '../kit/middle';
import { None } from '../kit/none';
import { When } from '../kit/when';
import { ExportLink } from '../lists/export-link';
import { FollowTools } from '../lists/follow-tools';
import { filterWords } from '../lists/known';
import { List } from '../lists/list';
import { useLiveList } from '../lists/live-list';
import { Nothing } from '../lists/nothing';
import { Pair } from '../lists/pair';
import type { Column } from '../lists/rows';
import { useSelection } from '../lists/selection';
import { isSpan, spanOf } from '../lists/spans';
import { useKnownAddress } from '../lists/use-known';
import { typesOf } from '../live/feed-kinds';
import { Happened } from '../live/queries';
import { printSearch, type Search } from '../shell/address';
import { Screen } from '../shell/shell';
import { timeZone, words } from '../strings/language';
import { AboutName, aboutWord, targetOf } from './about';
import { answerOf } from './attempt-word';
import { CallbackFilters } from './callback-filters';
import { CallbackTabs } from './callback-tabs';
import { StatusChip } from './facts-of';
import { type CallbackRowFragment, CallbackRows, type CallbackRowsQuery } from './queries';
import { RecoverButton } from './recover';
import { type Sought, useSought } from './sought';

const bulkActs = ['REDELIVER_CALLBACK'] as const;

const known = { status: Object.values(CallbackStatus), kind: Object.values(CallbackKind), since: isSpan };

const shape = {
  of: ({ callbacks }: CallbackRowsQuery) => callbacks,
  keyOf: ({ callbackId }: CallbackRowFragment) => callbackId,
};

/** What leads to a callback, and what became of its attempts; of one that went out at once what led to it is all there is. */
const source = {
  document: Happened,
  types: (['payments', 'tokens', 'onboarding', 'endpoints', 'callbacks'] as const).flatMap(typesOf),
};

export function CallbacksScreen() {
  const { address, search, filters, open, change, hrefOf } = useKnownAddress(known);
  const { callbackId = null } = useParams({ strict: false }) as { callbackId?: string };
  const text = words().callbacks;
  const sought = useSought(search['find']);
  const soughtId = sought.callbackId;
  useEffect(() => {
    if (soughtId) open(`/callbacks/${soughtId}`);
  }, [soughtId, open]);
  const narrowed = useMemo(() => filterOf(filters), [filters]);
  const filter = { ...narrowed, ...soughtFilter(search, sought) };
  const pages = usePages(CallbackRows, { filter }, shape);
  const columns = useMemo(columnsOf, []);
  const acts = useBulkActs(bulkActs);
  const selection = useSelection(
    `callbacks ${printSearch({ ...search, act: undefined })}`,
    useMemo(() => pages.rows.map(shape.keyOf), [pages.rows]),
  );
  const live = useLiveList(
    {
      filter,
      merchantId: filter.merchantId,
      pages,
      keyOf: shape.keyOf,
      isHeld: callbackId !== null || selection.chosen.size > 0,
    },
    source,
  );
  return (
    <Screen
      title={text.title}
      total={pages.total}
      tools={
        <>
          <ExportLink document={CallbackRows} variables={{ filter }} />
          <FollowTools live={live} />
          <RecoverButton merchantId={search['merchantId']} />
          <CallbackTabs />
        </>
      }
      below={<CallbackFilters address={address} sought={sought} onChange={change} />}
    >
      <List
        pages={pages}
        live={live}
        label={text.title}
        columns={columns}
        sortedBy={['created', 'descending']}
        phone={PhoneRow}
        keyOf={shape.keyOf}
        nameOf={(row) => [stateWord(row.kind), aboutWord(row), stateWord(row.status)].join(', ')}
        selected={callbackId}
        hrefOf={(key) => hrefOf(`/callbacks/${key}`)}
        onOpen={open}
        selection={acts.length > 0 ? selection : null}
        empty={<Nothing title={text.nothing} />}
      />
      <BulkBar acts={acts} selection={selection} />
      <Outlet />
    </Screen>
  );
}

function filterOf({ status, kind, merchantId, endpointId, since }: Search): CallbackFilter {
  const { from, to } = spanOf(since, timeZone());
  return {
    since: from,
    until: to,
    statuses: status ? filterWords<CallbackStatus>(status) : null,
    kind: (kind as CallbackFilter['kind']) ?? null,
    merchantId: merchantId ?? null,
    endpointId: endpointId ?? null,
  };
}

/** What was typed may be the id of an event, which is no thing of its own. */
function soughtFilter({ find, about }: Search, { things }: Sought): CallbackFilter {
  if (!find) return {};
  return (things.find(({ key }) => key === about) ?? things[0])?.filter ?? { eventId: find };
}

function columnsOf(): Column<CallbackRowFragment>[] {
  const text = words().callbacks;
  return [
    {
      id: 'about',
      title: text.about,
      width: 232,
      cell: (row) => (
        <strong>
          <AboutName of={row} />
        </strong>
      ),
    },
    { id: 'status', title: text.status, width: 116, cell: ({ status }) => <StatusChip status={status} /> },
    { id: 'target', title: text.endpoint, least: 240, cell: (row) => <Target of={row} /> },
    {
      id: 'answer',
      title: text.answer,
      width: 224,
      isWide: true,
      cell: ({ attempts }) => <LastAnswer attempts={attempts} />,
    },
    {
      id: 'merchant',
      title: text.merchant,
      width: 128,
      isWide: true,
      cell: ({ merchant }) => merchant?.name ?? <None />,
    },
    {
      id: 'created',
      title: text.created,
      width: 160,
      isEnd: true,
      cell: ({ createdAt }) => (
        <span className="soft">
          <When at={createdAt} />
        </span>
      ),
    },
  ];
}

/** What came back at last, and after how many attempts where it was not the first. */
function LastAnswer({ attempts }: Pick<CallbackRowFragment, 'attempts'>) {
  const answer = answerOf(attempts.at(-1));
  const count = attempts.length;
  const turns = count > 1 ? ` · ${count}×` : '';
  return (
    <span className="soft">
      <Middle text={answer + turns} end={turns} title={`${answer} · ${words().payments.attemptsOf(count)}`} />
    </span>
  );
}

function Target({ of }: { of: CallbackRowFragment }) {
  const target = targetOf(of);
  if (!target) return <None />;
  return (
    <span className="soft">
      <Middle text={target.replace(/^https?:\/\//, '')} />
    </span>
  );
}

function PhoneRow(row: CallbackRowFragment) {
  return (
    <>
      <Pair
        start={
          <strong>
            <AboutName of={row} />
          </strong>
        }
        end={<StatusChip status={row.status} />}
      />
      <Pair
        start={<span className="soft">{[stateWord(row.kind), row.merchant?.name].filter(Boolean).join(' · ')}</span>}
        end={
          <span className="faint">
            <When at={row.createdAt} />
          </span>
        }
      />
    </>
  );
}
