// A list of any length as a table: only what is in sight is drawn, j and k or arrows walk, Enter opens, and more is fetched before the end is reached.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useIsPhone } from '../kit/media';
import { SkeletonLines } from '../kit/states';
import { isTyping } from '../shell/shortcuts';
import style from './rows.module.css';

export interface Column<Row> {
  id: string;
  title: string;
  /** In pixels; absent: an equal share of what is left. */
  width?: number;
  /** Numbers stand at the right. */
  isEnd?: boolean;
  /** Only where there is much room. */
  isWide?: boolean;
  cell(row: Row): ReactNode;
}

export interface RowsProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
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
  empty: ReactNode;
}

/** How many rows before the end more are asked for. */
const ahead = 30;

export function Rows<Row>(props: RowsProps<Row>) {
  const { label, rows, columns, keyOf, selected, onMore, isLoading, fresh, empty } = props;
  const { phone, nameOf, hrefOf, onOpen } = props;
  const looks = { columns, phone, keyOf, nameOf, hrefOf, onOpen };
  const scroller = useRef<HTMLElement>(null);
  const isPhone = useIsPhone();
  // The same functions at each scroll: with others the places of all rows would be reckoned anew.
  const height = useMemo(() => rowHeight(isPhone), [isPhone]);
  const estimateSize = useCallback(() => height, [height]);
  const getItemKey = useCallback((index: number) => keyOf(rows[index] as Row), [rows, keyOf]);
  const getScrollElement = useCallback(() => scroller.current, []);
  const virtual = useVirtualizer({ count: rows.length, getScrollElement, estimateSize, getItemKey, overscan: 12 });
  const items = virtual.getVirtualItems();
  const lastSeen = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (onMore && !isLoading && rows.length > 0 && lastSeen >= rows.length - ahead) onMore();
  }, [onMore, isLoading, lastSeen, rows.length]);
  const walk = useWalk(props, (index) => virtual.scrollToIndex(index, { align: 'auto' }));

  if (rows.length === 0 && !isLoading) return empty;
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const span = isPhone ? 1 : columns.length;
  return (
    <section className={style.scroller} ref={scroller} aria-label={label} aria-busy={isLoading}>
      <table className={style.table} aria-rowcount={rows.length + 1}>
        {isPhone ? null : <Head columns={columns} />}
        <tbody>
          {before > 0 ? <Gap height={before} span={span} /> : null}
          {items.map(({ key, index }) => {
            const row = rows[index] as Row;
            const id = keyOf(row);
            const isCurrent = {
              isSelected: id === selected,
              isWalked: walk === index,
              isFresh: fresh?.has(id) ?? false,
            };
            return <Line key={key} {...looks} {...isCurrent} row={row} index={index} isPhone={isPhone} />;
          })}
          {after > 0 ? <Gap height={after} span={span} /> : null}
        </tbody>
      </table>
      {isLoading ? (
        <div className={style.loading}>
          <SkeletonLines count={rows.length === 0 ? 14 : 2} />
        </div>
      ) : null}
    </section>
  );
}

function Head<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <>
      <colgroup>
        {columns.map(({ id, width, isWide }) => (
          <col key={id} className={isWide ? style.wide : undefined} style={width ? { width } : {}} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(({ id, title, isEnd, isWide }) => (
            <th key={id} scope="col" className={classOf(isEnd, isWide)}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}

interface LineProps<Row> extends Pick<RowsProps<Row>, 'columns' | 'phone' | 'keyOf' | 'nameOf' | 'hrefOf' | 'onOpen'> {
  row: Row;
  index: number;
  isPhone: boolean;
  isSelected: boolean;
  isWalked: boolean;
  isFresh: boolean;
}

/** One row: all in one cell on a phone, else a cell for each column, the first of which is the link. */
function LineOf<Row>({ row, index, isPhone, isSelected, isWalked, isFresh, ...looks }: LineProps<Row>) {
  const { columns, phone, keyOf, nameOf, hrefOf, onOpen } = looks;
  const link = { href: hrefOf(keyOf(row)), isCurrent: isSelected, onOpen };
  return (
    <tr
      className={style.row}
      aria-rowindex={index + 2}
      data-selected={isSelected}
      data-walked={isWalked}
      data-fresh={isFresh}
    >
      {isPhone ? (
        <td className={style.phone}>
          <RowLink {...link}>{phone(row)}</RowLink>
        </td>
      ) : (
        columns.map(({ id, cell, isEnd, isWide }, place) => (
          <td key={id} className={classOf(isEnd, isWide)}>
            {place > 0 ? (
              cell(row)
            ) : (
              <RowLink {...link} name={nameOf(row)}>
                {cell(row)}
              </RowLink>
            )}
          </td>
        ))
      )}
    </tr>
  );
}

/** Drawn anew only when it changes, not at each scroll. */
const Line = memo(LineOf) as typeof LineOf;

interface RowLinkProps {
  href: string;
  isCurrent: boolean;
  name?: string | undefined;
  onOpen(href: string): void;
  children: ReactNode;
}

/** Reaches over the whole row. */
function RowLink({ href, isCurrent, name, onOpen, children }: RowLinkProps) {
  return (
    <a
      href={href}
      className={style.link}
      aria-label={name}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={(event) => {
        if (!isPlain(event)) return;
        event.preventDefault();
        onOpen(href);
      }}
    >
      {children}
    </a>
  );
}

function classOf(isEnd = false, isWide = false): string {
  return `${isEnd ? style.end : ''} ${isWide ? style.wide : ''}`;
}

/** Room of rows that are not drawn. */
function Gap({ height, span }: { height: number; span: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={span} className={style.gap} style={{ height }} />
    </tr>
  );
}

/** As the style sheet has it for this width and the person's density. */
function rowHeight(isPhone: boolean): number {
  const told = getComputedStyle(document.documentElement).getPropertyValue('--row');
  return Number.parseInt(told, 10) || (isPhone ? 52 : 36);
}

/** Other clicks open a tab of their own, as with any link. */
function isPlain(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
}

/** The row that the keys stand on. With something open beside the list the next one opens at once. */
function useWalk<Row>(
  { rows, keyOf, selected, hrefOf, onOpen }: RowsProps<Row>,
  show: (index: number) => void,
): number {
  const [walked, setWalked] = useState(-1);
  const present = useRef({ rows, keyOf, selected, hrefOf, onOpen, walked, show });
  present.current = { rows, keyOf, selected, hrefOf, onOpen, walked, show };
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey || isElsewhere(event.target)) return;
      const now = present.current;
      const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
      const opened = now.rows.findIndex((row) => now.keyOf(row) === now.selected);
      const from = opened >= 0 ? opened : now.walked;
      if (step !== undefined && now.rows.length > 0) {
        event.preventDefault();
        const to = Math.max(0, Math.min(now.rows.length - 1, from + step));
        setWalked(to);
        now.show(to);
        if (opened >= 0) now.onOpen(now.hrefOf(now.keyOf(now.rows[to] as Row)));
      }
      const row = now.rows[now.walked];
      if (event.key === 'Enter' && row && event.target === document.body) now.onOpen(now.hrefOf(now.keyOf(row)));
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return walked;
}

/** Arrows belong to whatever else has the focus: a menu, a dialog, text that scrolls. */
function isElsewhere(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('[role="menu"], [role="dialog"] [tabindex], [aria-modal]') !== null
  );
}
