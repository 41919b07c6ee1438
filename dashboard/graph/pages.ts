// A list of the graph, page after page, as one list that grows.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { client } from './client';
import { keptLists } from './kept-lists';
import { useOnceBack } from './once-back';
import { oneAtATime } from './one-at-a-time';
import { platformNow } from './platform-clock';
import type { AskError } from './refusal-code';
import type { TypedText } from './typed-text';

export interface RowConnection<Row> {
  edges: readonly { node: Row }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  /** Where the document asks for it by `isCounted`. */
  totalCount?: Total;
}

/** How many a list has; where that is not exact, no fewer. */
export interface Total {
  value: number;
  isExact: boolean;
}

interface Paged {
  first: number;
  after?: string | null | undefined;
  isCounted?: boolean | null | undefined;
}

export interface Pages<Row> {
  rows: readonly Row[];
  /** Comes after the rows, which never wait for it; null: not known. */
  total: Total | null;
  isLoading: boolean;
  error: AskError | null;
  /** When the rows were read or followed at last, by the platform's clock; 0: never. */
  readAt: number;
  /** Null at the end. */
  more: (() => void) | null;
  /** From the beginning again. */
  again(): void;
  /** Puts rows in their places: those with known keys are replaced; new ones stand where they belong, and where nothing tells that they go first, the last of them at the top. */
  put(rows: readonly Row[]): void;
  /** Whether a row has its place below what was read: it comes with the rows there. */
  isBelow(row: Row): boolean;
  /** Counts the list anew, after a rest and where the count is exact: it may be asked for by each of many events. */
  recount(): void;
  /** The rows were followed until now. */
  followed(): void;
  /** The beginning as it is now, beside what stands; null: no answer, or the list has become another one meanwhile. */
  look(): Promise<readonly Row[] | null>;
}

interface Shape<Answer, Row> {
  of(answer: Answer): RowConnection<Row>;
  keyOf(row: Row): string;
  /** Falls from the first row to the last, by the texts' order; absent: not told by the row. */
  placeOf?(row: Row): string;
}

const countRestMs = 1_000;
/** What is seen at once, and what is fetched for who goes on: as much as the graph gives. */
const pageSizes = { first: 50, further: 100 };

interface State<Row> {
  rows: readonly Row[];
  total: Total | null;
  end: string | null;
  hasMore: boolean;
  error: AskError | null;
  isLoading: boolean;
  readAt: number;
  /** What was asked when it was read. */
  asked: string;
}

const nothing: State<never> = {
  rows: [],
  total: null,
  end: null,
  hasMore: false,
  error: null,
  isLoading: true,
  readAt: 0,
  asked: '',
};

const kept = keptLists<State<unknown>>();

export function usePages<Answer, Variables extends Paged, Row>(
  document: TypedText<Answer, Variables>,
  variables: Omit<Variables, 'first' | 'after'>,
  own: Shape<Answer, Row>,
): Pages<Row> {
  const isCounted = document.text.includes('$isCounted');
  const asked = JSON.stringify(variables);
  const place = `${document.hash} ${asked}`;
  const [state, setState] = useState<State<Row>>(nothing);
  const turn = useRef(0);
  /** Behind what was asked for at last; null: from the beginning. */
  const loaded = useRef<string | null>(null);
  const shape = useRef(own);
  shape.current = own;

  const read = useCallback(
    (page: Paged) => {
      const whole = { ...(JSON.parse(asked) as object), ...page } as unknown as Variables;
      return client.query<Answer>(document.text, whole, { requestPolicy: 'network-only' }).toPromise();
    },
    [asked, document],
  );
  const present = useRef(read);
  present.current = read;
  const count = useMemo(
    () =>
      oneAtATime(async () => {
        const { data } = await read({ first: 1, after: null, isCounted: true });
        const total = data ? (shape.current.of(data).totalCount ?? null) : null;
        if (present.current === read) setState((before) => ({ ...before, total }));
      }),
    [read],
  );
  const countAgain = useMemo(() => oneAtATime(() => pause(countRestMs).then(count)), [count]);
  const load = useCallback(
    async (after: string | null) => {
      turn.current += 1;
      const mine = turn.current;
      loaded.current = after;
      setState((before) => ({ ...before, isLoading: true }));
      const reading = read({ first: after === null ? pageSizes.first : pageSizes.further, after });
      if (after === null && isCounted) void count();
      const { data, error } = await reading;
      if (mine !== turn.current) return;
      if (!data) return setState((before) => unanswered(before, error ?? null, place));
      const { edges, pageInfo } = shape.current.of(data);
      const fresh = edges.map(({ node }) => node);
      setState((before) => ({
        total: before.total,
        rows: after === null ? fresh : joined(before.rows, fresh, shape.current.keyOf),
        end: pageInfo.endCursor,
        hasMore: pageInfo.hasNextPage,
        error: null,
        isLoading: false,
        readAt: nowMs(),
        asked,
      }));
    },
    [read, count, isCounted, asked, place],
  );
  const look = useCallback(async () => {
    const mine = turn.current;
    const { data } = await read({ first: pageSizes.first, after: null });
    return data && mine === turn.current ? shape.current.of(data).edges.map(({ node }) => node) : null;
  }, [read]);
  useEffect(() => {
    // Other filters: the rows of the former ones are no answer to these.
    setState(nothing);
    void load(null);
  }, [load]);

  useOnceBack(state.error, () => void load(loaded.current));

  const put = useCallback(
    // What was never read has no places.
    (rows: readonly Row[]) => setState((before) => (before.readAt === 0 ? before : grown(before, rows, shape.current))),
    [],
  );

  const followed = useCallback(
    () => setState((before) => (before.readAt > 0 && !before.error ? { ...before, readAt: nowMs() } : before)),
    [],
  );

  useEffect(() => {
    if (state.readAt > 0 && state.asked === asked) kept.keep(place, state);
  }, [state, asked, place]);

  const { end, hasMore, ...shown } = state;
  return {
    ...shown,
    more: hasMore && !shown.isLoading && !shown.error ? () => void load(end) : null,
    again: () => void load(null),
    put,
    isBelow: (row) => isBelow(state, row, own.placeOf),
    recount: () => void (isCounted && state.total?.isExact !== false && countAgain()),
    followed,
    look,
  };
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

const nowMs = () => platformNow().getTime();

/** What stands goes on standing; nothing yet, and out of reach, it is what was read when the list was last looked at. */
function unanswered<Row>(before: State<Row>, error: AskError | null, place: string): State<Row> {
  const isAway = before.rows.length === 0 && Boolean(error?.networkError);
  const standing = (isAway && (kept.read(place) as State<Row> | undefined)) || before;
  return { ...standing, error, isLoading: false };
}

type Placed<Row> = Pick<Shape<never, Row>, 'keyOf' | 'placeOf'>;

function isBelow<Row>({ rows, hasMore }: State<Row>, row: Row, placeOf: Placed<Row>['placeOf']): boolean {
  const last = rows.at(-1);
  return hasMore && placeOf !== undefined && last !== undefined && placeOf(row) < placeOf(last);
}

function grown<Row>(before: State<Row>, changed: readonly Row[], shape: Placed<Row>): State<Row> {
  const rows = placed(before, changed, shape);
  const { total } = before;
  const counted = total?.isExact ? { value: total.value + rows.length - before.rows.length, isExact: true } : total;
  return { ...before, rows, total: counted };
}

function placed<Row>(before: State<Row>, changed: readonly Row[], { keyOf, placeOf }: Placed<Row>): readonly Row[] {
  const byKey = new Map(changed.map((row) => [keyOf(row), row]));
  const standing = before.rows.map((row) => {
    const key = keyOf(row);
    const now = byKey.get(key);
    byKey.delete(key);
    return now ?? row;
  });
  for (const row of byKey.values()) {
    if (isBelow(before, row, placeOf)) continue;
    const at = placeOf ? standing.findIndex((one) => placeOf(one) < placeOf(row)) : 0;
    standing.splice(at < 0 ? standing.length : at, 0, row);
  }
  return standing;
}

/** What came by itself while the page was read stands already. */
function joined<Row>(rows: readonly Row[], page: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  const keys = new Set(rows.map(keyOf));
  return [...rows, ...page.filter((row) => !keys.has(keyOf(row)))];
}
