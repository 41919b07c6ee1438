// A list of the graph on a screen, in all its states: not yet, none, old, refused, and as rows; with what has come to one that lives.
import type { ReactNode } from 'react';
import type { Pages } from '../graph/pages';
import { type AskError, refusalCodeOf } from '../graph/refusal-code';
import { RefusedNote, Stale } from '../kit/states';
import { Newer } from './follow-tools';
import type { LiveList } from './live-list';
import { Unusable } from './nothing';
import { Rows, type RowsProps } from './rows';

interface Props<Row> extends Omit<RowsProps<Row>, 'rows' | 'isLoading' | 'onMore' | 'fresh' | 'reading'> {
  pages: Pages<Row>;
  /** Absent: the list changes only when it is read. */
  live?: LiveList<Row>;
  empty: ReactNode;
}

export function List<Row>({ pages, live, ...rest }: Props<Row>) {
  const { rows, error, readAt, again, more, isLoading } = pages;
  if (error && rows.length === 0)
    return isOfFilters(error) ? <Unusable /> : <RefusedNote error={error} retry={again} />;
  const lived = live ? { fresh: live.fresh, reading: live.reading } : {};
  return (
    <>
      {live ? <Newer live={live} /> : null}
      {error ? <Stale readAt={readAt} retry={again} /> : null}
      <Rows {...rest} {...lived} rows={rows} isLoading={isLoading} onMore={more ?? undefined} />
    </>
  );
}

/** What a list is asked with besides its filters is never refused for these. */
const codes: ReadonlySet<string> = new Set(['invalidInput', 'invalidData', 'timesReversed', 'amountInvalid']);

function isOfFilters(error: AskError): boolean {
  return codes.has(refusalCodeOf(error));
}
