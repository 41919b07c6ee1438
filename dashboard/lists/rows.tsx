// A list of any length as a table: only what is in sight is drawn, j and k or arrows walk, Enter opens, and more is fetched before the end is reached.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useIsPhone } from '../kit/media';
import { SkeletonLines } from '../kit/states';
import { fitting } from './fit';
import { useReading } from './reading';
import { useRoom } from './room';
import { Gap, Line, RowsHead } from './row-line';
import style from './rows.module.css';
import type { RowsProps } from './rows-props';
import { useWalk } from './walk';

export type { Column, RowsProps } from './rows-props';

/** How many rows before the end more are asked for. */
const ahead = 30;
/** Of the column of boxes, as the style sheet has it. */
const checkWidth = 44;

export function Rows<Row>(props: RowsProps<Row>) {
  const { label, rows, keyOf, selected, onMore, isLoading, fresh, empty, selection } = props;
  const { phone, nameOf, hrefOf, onOpen } = props;
  const scroller = useRef<HTMLElement>(null);
  const isNothing = rows.length === 0 && !isLoading;
  const room = useRoom(scroller, !isNothing) - (selection ? checkWidth : 0);
  const fit = useMemo(() => fitting(props.columns, room), [props.columns, room]);
  const isPhone = useIsPhone() || !fit;
  const columns = fit ?? props.columns;
  const looks = { columns, phone, keyOf, nameOf, hrefOf, onOpen };
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
  const walked = useWalk(props, (index) => virtual.scrollToIndex(index, { align: 'auto' }));
  const onPointerMove = useReading(props.reading, { scroller, height, isWalking: walked !== null });

  if (isNothing) return empty;
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const span = (isPhone ? 1 : columns.length) + (selection ? 1 : 0);
  return (
    <section
      className={style.scroller}
      ref={scroller}
      aria-label={label}
      aria-busy={isLoading}
      data-phone={isPhone}
      onPointerMove={onPointerMove}
    >
      <table className={style.table} aria-rowcount={rows.length + 1}>
        {isPhone ? null : (
          <RowsHead columns={columns} rows={rows} keyOf={keyOf} selection={selection} sortedBy={props.sortedBy} />
        )}
        <tbody>
          {before > 0 ? <Gap height={before} span={span} /> : null}
          {items.map(({ key, index }) => {
            const row = rows[index] as Row;
            const id = keyOf(row);
            const isCurrent = {
              isSelected: id === selected,
              isWalked: walked === id,
              isFresh: fresh?.has(id) ?? false,
              isChosen: selection?.chosen.has(id) ?? false,
              onChoose: selection?.toggle,
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

/** As the style sheets have it, for the person's density. */
function rowHeight(isPhone: boolean): number {
  if (isPhone) return 52;
  return Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--row'), 10) || 36;
}
