// A list that lives: what happens is told by one subscription, and changes rows where they stand, counts new ones, or says that the list's beginning has to be looked at again.

import { useEffect } from 'react';
import { useEvents } from '../graph/ask';
import { connectionState, watchConnection } from '../graph/client';
import { type EventFilter } from '../graph/contract';
import type { Pages } from '../graph/pages';
import type { AskError } from '../graph/refusal-code';
import type { TypedText } from '../graph/typed-text';
import { useReadUnheard } from '../live/unheard';
import { useMay } from '../shell/viewer';
import { type LiveRows, useLiveRows } from './live-rows';
import { useLooks } from './looks';

export interface LiveList<Row> extends LiveRows<Row> {
  mayListen: boolean;
  error: AskError | null;
  /** As of its pages; 0 where the list itself says how old it is. */
  readAt: number;
}

interface Told {
  type: string;
}

/** What of the log a list is told, and what that says of its rows. */
export interface Source<Event extends Told, Row> {
  document: TypedText<
    { events: Event },
    { filter?: EventFilter | null | undefined; after?: string | null | undefined }
  >;
  /** Types of the log; null: all. */
  types: readonly string[] | null;
  /** Acts of the audit; absent: whatever was done. */
  actions?: readonly string[];
  /** The row that an event carries; absent where the log does not have the rows: then the beginning of the list is read again. */
  rowOf?(event: Event): Row | null | undefined;
}

interface Followed<Row> {
  /** What the list is asked for. */
  filter: object;
  /** Only what is told of this merchant is wanted. */
  merchantId?: string | null | undefined;
  pages: Pages<Row>;
  keyOf(row: Row): string;
  /** New rows would move what the person is at, such as one that is open. */
  isHeld: boolean;
  /** Newer rows do not come first, each has its place: the list is read anew for them. */
  isSorted?: boolean;
  /** As the graph judges by the same filter; what cannot be told by the row is left out. */
  isWanted?(row: Row): boolean;
}

export function useLiveList<Event extends Told, Row>(
  { filter, merchantId, pages, keyOf, isHeld, isSorted = false, isWanted = () => true }: Followed<Row>,
  { document, types, actions, rowOf }: Source<Event, Row>,
): LiveList<Row> {
  const mayReadAudit = useMay('audit:read');
  const mayListen = useMay('events:read') && (!actions || mayReadAudit);
  const rows = useLiveRows({ asked: JSON.stringify(filter), pages, keyOf, isHeld });
  const look = useLooks({ pages, keyOf, rows, isSorted, isOn: mayListen && !rowOf });
  const merchantIds = merchantId ? [merchantId] : null;
  const acts = actions ? { actions: [...actions] } : {};
  const asked = { filter: { types: types && [...types], merchantIds, results: null, ...acts }, after: null };
  const hear = useReadUnheard(JSON.stringify(asked), (isFirst) => (isFirst ? pages.again() : rows.miss()));
  const error = useEvents(document, mayListen ? [asked] : [], ({ events }) => {
    hear();
    if (events.type === 'GAP') return rows.miss();
    if (!rowOf) return look();
    const row = rowOf(events);
    if (!row) return;
    const hasItsPlace = isSorted && !pages.rows.some((one) => keyOf(one) === keyOf(row));
    if (hasItsPlace && isWanted(row)) rows.miss();
    else rows.take(row, isWanted(row));
  });
  useFollowed(pages);
  return { ...rows, mayListen, error, readAt: pages.error ? 0 : pages.readAt };
}

/** Notes until when the rows were followed, at each break. */
function useFollowed({ followed }: Pick<Pages<never>, 'followed'>): void {
  useEffect(() => {
    let isLive = false;
    return watchConnection(() => {
      const state = connectionState();
      if (isLive && (state === 'reconnecting' || state === 'ended')) followed();
      isLive = state === 'live';
    });
  }, [followed]);
}
