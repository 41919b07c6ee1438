// What a list of rows is drawn from.
import type { ReactNode } from 'react';
import type { Fitted } from './fit';

export interface Column<Row> extends Fitted {
  id: string;
  title: string;
  /** Numbers stand at the right. */
  isEnd?: boolean;
  cell(row: Row): ReactNode;
}

/** Rows that are chosen to be acted on together. */
export interface Selection {
  chosen: ReadonlySet<string>;
  /** `isRange`: with every row between it and the one before. */
  toggle(key: string, isRange: boolean): void;
  /** All that are shown, or none when all are. */
  toggleAll(): void;
  clear(): void;
  isFull: boolean;
}

/** How somebody reads a list, for whoever would put rows before what is read. */
export interface ListReading {
  /** At the beginning, with no key nor pointer at work among the rows. */
  isResting(): boolean;
  toStart(): void;
}

export interface RowsProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** The column that the rows are in the order of, where one is. */
  sortedBy?: readonly [column: string, order: 'ascending' | 'descending'] | undefined;
  /** All of a row in two lines, for phones. */
  phone(row: Row): ReactNode;
  keyOf(row: Row): string;
  /** What a row is called by those who hear the page. */
  nameOf(row: Row): string;
  selected: string | null;
  hrefOf(key: string): string;
  onOpen(href: string): void;
  /** Called near the end of what is there; absent when there is no more. */
  onMore?: (() => void) | undefined;
  isLoading: boolean;
  /** Rows that came by themselves, shown for a moment. */
  fresh?: ReadonlySet<string>;
  /** Absent: nothing can be done to several. */
  selection?: Selection | null;
  empty: ReactNode;
  /** Told to whoever puts rows in by themselves. */
  reading?: { current: ListReading | null };
}
