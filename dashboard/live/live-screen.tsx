// Everything that happens, as it happens: paused and filtered without losing anything, each event one key away from what it is about.

import { Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type Subject, SubjectName, subjectWord, useSubjectNames } from '../audit/subject';
import { type EventFilter, OperationResult } from '../graph/contract';
import { PlainButton } from '../kit/button';
import { Chip } from '../kit/chip';
import { ActRefusal } from '../kit/form';
import { When } from '../kit/when';
import { Filters, Pill, TextFilter } from '../lists/filters';
import { PauseButton } from '../lists/follow-tools';
import type { KnownSearch } from '../lists/known';
import { Nothing } from '../lists/nothing';
import { Pair } from '../lists/pair';
import { MerchantPill } from '../lists/pills/pills';
import { type Column, Rows } from '../lists/rows';
import { useKnownAddress } from '../lists/use-known';
import type { Search } from '../shell/address';
import { ConnectionState } from '../shell/connection-state';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import { useFeed } from './feed';
import type { FeedItem } from './feed-item';
import { feedKinds, type ShownFeedKind, typesOf } from './feed-kinds';

const known = { kind: Object.keys(feedKinds), result: Object.values(OperationResult) };

export function LiveScreen() {
  const { address, search, open, change } = useKnownAddress(known);
  const text = words().live;
  const [isPaused, setPaused] = useState(false);
  const filter = useMemo(() => filterOf(search), [search]);
  const { items, waiting, error, clear } = useFeed(filter, isPaused);
  const columns = useMemo(columnsOf, []);
  const nameOf = useSubjectNames();
  const { text: wanted } = search;
  const shown = wanted ? items.filter((item) => matches(item, wanted, nameOf)) : items;
  return (
    <Screen
      title={text.title}
      tools={
        <>
          <ConnectionState />
          <PlainButton onClick={clear} aria-label={text.clear} title={text.clear}>
            <Trash2 aria-hidden />
          </PlainButton>
          <PauseButton isPaused={isPaused} setPaused={setPaused} waiting={waiting} />
        </>
      }
      below={<FeedFilters address={address} onChange={change} />}
    >
      {error ? <ActRefusal error={error} /> : null}
      <Rows
        label={text.title}
        rows={shown}
        columns={columns}
        sortedBy={['at', 'descending']}
        phone={PhoneRow}
        keyOf={({ id }) => id}
        nameOf={(item) => [item.what, item.state, aboutOf(item, nameOf)].filter(Boolean).join(', ')}
        selected={null}
        hrefOf={(id) => shown.find((item) => item.id === id)?.href ?? '/live'}
        onOpen={open}
        isLoading={false}
        empty={<Nothing title={text.nothing} yet={text.nothingYet} />}
      />
    </Screen>
  );
}

/** What the graph itself is asked to leave out; a text is looked for in what came. */
function filterOf({ kind, merchantId, result }: Search): EventFilter {
  return {
    types: kind ? typesOf(kind as ShownFeedKind) : null,
    merchantIds: merchantId ? [merchantId] : null,
    results: result ? [result as OperationResult] : null,
  };
}

function FeedFilters({ address, onChange }: { address: KnownSearch; onChange(next: Search): void }) {
  const text = words().live;
  const { search } = address;
  return (
    <Filters address={address}>
      <TextFilter label={text.filter} value={search['text']} onChange={(next) => onChange({ text: next })} />
      <Pill
        title={text.kind}
        value={search['kind']}
        options={Object.entries(text.kinds)}
        onChange={(kind) => onChange({ kind })}
      />
      <MerchantPill />
      <Pill
        title={text.state}
        value={search['result']}
        options={Object.values(OperationResult).map((result) => [result, <Chip key={result} state={result} />])}
        onChange={(result) => onChange({ result })}
      />
    </Filters>
  );
}

function matches(item: FeedItem, text: string, nameOf: (subject: Subject) => string): boolean {
  // A hole in the feed is nobody's to filter away.
  if (item.isGap) return true;
  const { what, state, about, merchant, amount } = item;
  const words = [what, state, about, aboutOf(item, nameOf), merchant, amount].filter(Boolean).join(' ').toLowerCase();
  return words.includes(text.toLowerCase());
}

function columnsOf(): Column<FeedItem>[] {
  const text = words().live;
  return [
    {
      id: 'at',
      title: text.at,
      width: 150,
      cell: ({ at }) => (
        <span className="soft">
          <When at={at} shape="recent" />
        </span>
      ),
    },
    { id: 'what', title: text.what, width: 244, cell: ({ what }) => <strong title={what}>{what}</strong> },
    {
      id: 'state',
      title: text.state,
      width: 216,
      cell: ({ state, tone }) => (state ? <Chip state={state} tone={tone} /> : null),
    },
    {
      id: 'amount',
      title: text.amount,
      width: 140,
      isEnd: true,
      cell: ({ amount }) => <span className="number">{amount ?? ''}</span>,
    },
    { id: 'about', title: text.about, cell: (item) => <About of={item} /> },
    { id: 'merchant', title: words().payments.merchant, cell: ({ merchant }) => merchant },
  ];
}

/** By its name, where that is known. */
function aboutOf({ subject, about }: FeedItem, nameOf: (subject: Subject) => string): string {
  return subject ? `${subjectWord(subject.subjectType)} ${nameOf(subject)}` : about;
}

function About({ of: { subject, about } }: { of: FeedItem }) {
  return subject ? <SubjectName of={subject} /> : <span className="mono">{about}</span>;
}

function PhoneRow(item: FeedItem) {
  const { what, state, tone, amount, at } = item;
  return (
    <>
      <Pair
        start={<strong>{`${what} ${amount ?? ''}`}</strong>}
        end={state ? <Chip state={state} tone={tone} /> : null}
      />
      <Pair
        start={
          <span className="soft">
            <About of={item} />
          </span>
        }
        end={
          <span className="faint">
            <When at={at} shape="recent" />
          </span>
        }
      />
    </>
  );
}
