// One row of a list, and what stands over them: the box that chooses it, the link that reaches over it, its cells.
import { memo, type MouseEvent as ReactMouseEvent, type ReactNode } from 'react';
import { words } from '../strings/language';
import style from './rows.module.css';
import type { RowsProps, Selection } from './rows-props';

export function RowsHead<Row>({
  columns,
  rows,
  keyOf,
  selection,
  sortedBy,
}: Pick<RowsProps<Row>, 'columns' | 'rows' | 'keyOf' | 'selection' | 'sortedBy'>) {
  return (
    <>
      <colgroup>
        {selection ? <col className={style.checkColumn} /> : null}
        {columns.map(({ id, width }) => (
          <col key={id} style={width ? { width } : {}} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {selection ? (
            <th scope="col" className={style.check}>
              <AllCheck rows={rows} keyOf={keyOf} selection={selection} />
            </th>
          ) : null}
          {columns.map(({ id, title, isEnd }) => (
            <th
              key={id}
              scope="col"
              className={isEnd ? style.end : undefined}
              aria-sort={id === sortedBy?.[0] ? sortedBy[1] : undefined}
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}

interface AllProps<Row> extends Pick<RowsProps<Row>, 'rows' | 'keyOf'> {
  selection: Selection;
}

/** Half on when some are chosen. Drawn at each scroll: of nothing chosen nothing is counted, however long the list. */
function AllCheck<Row>({ rows, keyOf, selection }: AllProps<Row>) {
  const { size } = selection.chosen;
  const count = size === 0 ? 0 : rows.filter((row) => selection.chosen.has(keyOf(row))).length;
  const isAll = count > 0 && count === rows.length;
  return (
    <label className={style.checkHit} title={words().bulk.selectAll}>
      <input
        type="checkbox"
        aria-label={words().bulk.selectAll}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !isAll;
        }}
        checked={isAll}
        onChange={selection.toggleAll}
      />
    </label>
  );
}

interface LineProps<Row> extends Pick<RowsProps<Row>, 'columns' | 'phone' | 'keyOf' | 'nameOf' | 'hrefOf' | 'onOpen'> {
  row: Row;
  index: number;
  isPhone: boolean;
  isSelected: boolean;
  isWalked: boolean;
  isFresh: boolean;
  isChosen: boolean;
  /** Absent: rows cannot be chosen. */
  onChoose: Selection['toggle'] | undefined;
}

/** One row: all in one cell on a phone, else a cell for each column, the first of which is the link. */
function LineOf<Row>({
  row,
  index,
  isPhone,
  isSelected,
  isWalked,
  isFresh,
  isChosen,
  onChoose,
  ...looks
}: LineProps<Row>) {
  const { columns, phone, keyOf, nameOf, hrefOf, onOpen } = looks;
  const link = { href: hrefOf(keyOf(row)), isCurrent: isSelected, onOpen };
  return (
    <tr
      className={style.row}
      aria-rowindex={index + 2}
      data-selected={isSelected}
      data-walked={isWalked}
      data-fresh={isFresh}
      data-chosen={isChosen}
    >
      {onChoose ? (
        <td className={style.check}>
          <label className={style.checkHit}>
            <input
              type="checkbox"
              aria-label={`${words().bulk.select}: ${nameOf(row)}`}
              checked={isChosen}
              onChange={({ nativeEvent }) => onChoose(keyOf(row), (nativeEvent as MouseEvent).shiftKey)}
            />
          </label>
        </td>
      ) : null}
      {isPhone ? (
        <td className={style.phone}>
          <RowLink {...link}>{phone(row)}</RowLink>
        </td>
      ) : (
        columns.map(({ id, cell, isEnd }, place) => (
          <td key={id} className={isEnd ? style.end : undefined}>
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
export const Line = memo(LineOf) as typeof LineOf;

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
        // The second click of two may be meant for what lay over the row at the first.
        if (event.detail < 2) onOpen(href);
      }}
    >
      {children}
    </a>
  );
}

/** Room of rows that are not drawn. */
export function Gap({ height, span }: { height: number; span: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={span} className={style.gap} style={{ height }} />
    </tr>
  );
}

/** Other clicks open a tab of their own, as with any link. */
function isPlain(event: ReactMouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
}
