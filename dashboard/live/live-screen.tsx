// Everything that happens, as it happens: paused and filtered without losing anything, each event one key away from what it is about.
import { Pause, Play, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button, PlainButton } from '../kit/button';
import { Chip } from '../kit/chip';
import { Refusal } from '../kit/form';
import { Empty } from '../kit/states';
import { When } from '../kit/when';
import { Filters, Pill, TextFilter } from '../lists/filters';
import { Pair } from '../lists/pair';
import { type Column, Rows } from '../lists/rows';
import { type Search, useAddress } from '../shell/address';
import { useMerchants } from '../shell/merchants';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import { type FeedItem, useFeed } from './feed';

/** Each merchant is two subscriptions, until the graph follows them all by one. */
const followedMost = 10;

export function LiveScreen() {
  const { search, open, change } = useAddress();
  const text = words().live;
  const [isPaused, setPaused] = useState(false);
  const { merchants, options, hasMore } = useMerchants();
  const chosen = search['merchantId'];
  const few = hasMore || merchants.length > followedMost ? [] : merchants.map(({ merchantId }) => merchantId);
  const followed = chosen ? [chosen] : few;
  const { items, waiting, error, clear } = useFeed(followed, isPaused);
  const columns = useMemo(columnsOf, []);
  const shown = useMemo(() => items.filter((item) => matches(item, search['kind'], search['text'])), [items, search]);
  return (
    <Screen
      title={text.title}
      tools={
        <>
          <PlainButton onClick={clear} aria-label={text.clear}>
            <Trash2 aria-hidden />
          </PlainButton>
          <Button onClick={() => setPaused(!isPaused)} aria-pressed={isPaused}>
            {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
            {isPaused ? text.resume(waiting) : text.pause}
          </Button>
        </>
      }
      below={<FeedFilters search={search} options={options} onChange={change} />}
    >
      {error ? <Refusal error={error} /> : null}
      <Rows
        label={text.title}
        rows={shown}
        columns={columns}
        phone={PhoneRow}
        keyOf={({ id }) => id}
        nameOf={({ what, state, about }) => [what, state, about].filter(Boolean).join(', ')}
        selected={null}
        hrefOf={(id) => shown.find((item) => item.id === id)?.href ?? '/live'}
        onOpen={open}
        isLoading={false}
        empty={
          <Empty title={followed.length === 0 ? text.choose : text.nothing}>
            {followed.length === 0 ? null : text.nothingHint(followed.length)}
          </Empty>
        }
      />
    </Screen>
  );
}

interface FeedFiltersProps {
  search: Search;
  options: readonly (readonly [merchantId: string, name: string])[];
  onChange(next: Search): void;
}

function FeedFilters({ search, options, onChange }: FeedFiltersProps) {
  const text = words().live;
  return (
    <Filters>
      <TextFilter label={text.filter} value={search['text']} onChange={(next) => onChange({ text: next })} />
      <Pill
        title={text.kind}
        value={search['kind']}
        options={[
          ['payments', words().navigation.payments],
          ['tokens', words().navigation.tokens],
        ]}
        onChange={(kind) => onChange({ kind })}
      />
      <Pill
        title={words().payments.merchant}
        value={search['merchantId']}
        options={options}
        onChange={(merchantId) => onChange({ merchantId })}
      />
    </Filters>
  );
}

function matches(item: FeedItem, kind: string | undefined, text: string | undefined): boolean {
  // A hole in the feed is nobody's to filter away.
  if (item.kind === 'gap') return true;
  if (kind && item.kind !== kind) return false;
  if (!text) return true;
  const words = `${item.what} ${item.state ?? ''} ${item.about} ${item.merchant} ${item.amount ?? ''}`.toLowerCase();
  return words.includes(text.toLowerCase());
}

function columnsOf(): Column<FeedItem>[] {
  const text = words().live;
  return [
    {
      id: 'at',
      title: text.at,
      width: 110,
      cell: ({ at }) => (
        <span className="soft">
          <When at={at} shape="clock" />
        </span>
      ),
    },
    { id: 'what', title: text.what, cell: ({ what }) => <strong>{what}</strong> },
    { id: 'state', title: text.state, width: 170, cell: ({ state }) => (state ? <Chip state={state} /> : null) },
    {
      id: 'amount',
      title: text.amount,
      width: 140,
      isEnd: true,
      cell: ({ amount }) => <span className="number">{amount ?? ''}</span>,
    },
    { id: 'about', title: text.about, cell: ({ about }) => <span className="mono">{about}</span> },
    { id: 'merchant', title: words().payments.merchant, cell: ({ merchant }) => merchant },
  ];
}

function PhoneRow({ what, state, amount, about, at }: FeedItem) {
  return (
    <>
      <Pair start={<strong>{`${what} ${amount ?? ''}`}</strong>} end={state ? <Chip state={state} /> : null} />
      <Pair
        start={<span className="soft mono">{about}</span>}
        end={
          <span className="faint">
            <When at={at} shape="clock" />
          </span>
        }
      />
    </>
  );
}
