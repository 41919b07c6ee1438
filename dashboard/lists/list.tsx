// A list of the graph on a screen, in all its states: not yet, none, old, refused, and as rows.
import type { ReactNode } from 'react';
import type { Pages } from '../graph/pages';
import { Refused, Stale } from '../kit/states';
import { Rows, type RowsProps } from './rows';

type Props<Row> = Omit<RowsProps<Row>, 'rows' | 'isLoading' | 'onMore'> & { pages: Pages<Row>; empty: ReactNode };

export function List<Row>({ pages, ...rest }: Props<Row>) {
  const { rows, error, readAt, again, more, isLoading } = pages;
  if (error && rows.length === 0) return <Refused error={error} retry={again} />;
  return (
    <>
      {error ? <Stale readAt={readAt} retry={again} /> : null}
      <Rows {...rest} rows={rows} isLoading={isLoading} onMore={more ?? undefined} />
    </>
  );
}
