// Every callback: what was told to whom, how far it has come, and what can be sent again.

import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type CallbackFilter, CallbackKind, CallbackStatus } from '../graph/contract';
import { usePages } from '../graph/pages';
import { BulkBar, useBulkActs } from '../jobs/bulk';
import { Chip, stateWord } from '../kit/chip';
import { None } from '../kit/none';
import { Empty } from '../kit/states';
import { Tabs } from '../kit/tabs';
import { When } from '../kit/when';
import { Filters, Pill } from '../lists/filters';
import { FollowTools } from '../lists/follow-tools';
import { List } from '../lists/list';
import { useLiveList } from '../lists/live-list';
import { Pair } from '../lists/pair';
import type { Column } from '../lists/rows';
import { SavedViews } from '../lists/saved-views';
import { useSelection } from '../lists/selection';
import { typesOf } from '../live/feed-kinds';
import { Happened } from '../live/queries';
import { printSearch, type Search, useAddress } from '../shell/address';
import { useMerchants } from '../shell/merchants';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import { answerOf } from './attempt-word';
import { type CallbackRowFragment, CallbackRows, type CallbackRowsQuery } from './queries';
import { RecoverButton } from './recover';

const bulkActs = ['REDELIVER_CALLBACK'] as const;

const shape = {
  of: ({ callbacks }: CallbackRowsQuery) => callbacks,
  keyOf: ({ callbackId }: CallbackRowFragment) => callbackId,
};

/** What leads to a callback, and what became of its attempts; of one that went out at once what led to it is all there is. */
const source = {
  document: Happened,
  types: (['payments', 'tokens', 'onboarding', 'endpoints', 'callbacks'] as const).flatMap(typesOf),
};

export function CallbackTabs() {
  const text = words().callbacks;
  return (
    <Tabs
      label={text.title}
      tabs={[
        ['/callbacks', text.deliveries],
        ['/callbacks/endpoints', text.endpoints],
      ]}
    />
  );
}

export function CallbacksScreen() {
  const { search, open, change, hrefOf } = useAddress();
  const { callbackId = null } = useParams({ strict: false }) as { callbackId?: string };
  const text = words().callbacks;
  const filter = useMemo(() => filterOf(search), [search]);
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
          <FollowTools live={live} />
          <RecoverButton merchantId={search['merchantId']} />
          <CallbackTabs />
        </>
      }
      below={<CallbackFilters search={search} onChange={change} />}
    >
      <List
        pages={pages}
        live={live}
        label={text.title}
        columns={columns}
        phone={PhoneRow}
        keyOf={shape.keyOf}
        nameOf={({ kind, status }) => `${stateWord(kind)}, ${stateWord(status)}`}
        selected={callbackId}
        hrefOf={(key) => hrefOf(`/callbacks/${key}`)}
        onOpen={open}
        selection={acts.length > 0 ? selection : null}
        empty={<Empty title={text.nothing}>{Object.keys(search).length > 0 ? text.nothingHint : null}</Empty>}
      />
      <BulkBar acts={acts} selection={selection} />
      <Outlet />
    </Screen>
  );
}

function filterOf({ status, kind, merchantId, endpointId }: Search): CallbackFilter {
  return {
    status: (status as CallbackFilter['status']) ?? null,
    kind: (kind as CallbackFilter['kind']) ?? null,
    merchantId: merchantId ?? null,
    endpointId: endpointId ?? null,
  };
}

/** What the last attempt came to, in few words. */
export function lastAnswer({ attempts }: CallbackRowFragment): string {
  return answerOf(attempts.at(-1));
}

function columnsOf(): Column<CallbackRowFragment>[] {
  const text = words().callbacks;
  return [
    { id: 'kind', title: text.kind, cell: ({ kind }) => stateWord(kind) },
    { id: 'status', title: text.status, width: 140, cell: ({ status }) => <Chip state={status} /> },
    { id: 'answer', title: text.answer, width: 150, cell: (row) => <span className="soft">{lastAnswer(row)}</span> },
    {
      id: 'attempts',
      title: text.attempts,
      width: 90,
      isEnd: true,
      cell: ({ attempts }) => <span className="number">{attempts.length}</span>,
    },
    {
      id: 'merchant',
      title: text.merchant,
      cell: ({ merchant }) => merchant?.name ?? <None />,
    },
    {
      id: 'next',
      title: text.next,
      width: 140,
      isEnd: true,
      isWide: true,
      cell: ({ nextAttemptAt }) => <When at={nextAttemptAt} />,
    },
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

function PhoneRow(row: CallbackRowFragment) {
  return (
    <>
      <Pair start={stateWord(row.kind)} end={<Chip state={row.status} />} />
      <Pair
        start={<span className="soft">{row.merchant?.name ?? lastAnswer(row)}</span>}
        end={
          <span className="faint">
            <When at={row.createdAt} />
          </span>
        }
      />
    </>
  );
}

function CallbackFilters({ search, onChange }: { search: Search; onChange(next: Search): void }) {
  const text = words().callbacks;
  const { options } = useMerchants();
  return (
    <Filters>
      <SavedViews screen="callbacks" />
      <Pill
        title={text.status}
        value={search['status']}
        options={Object.values(CallbackStatus).map((status) => [status, <Chip key={status} state={status} />])}
        onChange={(status) => onChange({ status })}
      />
      <Pill
        title={text.kind}
        value={search['kind']}
        options={Object.values(CallbackKind).map((kind) => [kind, stateWord(kind)])}
        onChange={(kind) => onChange({ kind })}
      />
      <Pill
        title={text.merchant}
        value={search['merchantId']}
        options={options}
        onChange={(merchantId) => onChange({ merchantId })}
      />
      {search['endpointId'] ? (
        <Pill
          title={text.endpoint}
          value={search['endpointId']}
          options={[]}
          onChange={() => onChange({ endpointId: '' })}
        />
      ) : null}
    </Filters>
  );
}
