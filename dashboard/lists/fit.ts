// What a list has room for: those of its columns that may go do so first, then all of them, for two lines as on a phone.

export interface Fitted {
  /** In pixels; absent: an equal share of what is left. */
  width?: number;
  /** Of a share, in pixels: with less, columns go. */
  least?: number;
  /** Goes where there is not room for all; the last one first. */
  isWide?: boolean;
}

/** Of a column that takes its share of what is left. */
const leastShare = 110;

/** Null: not even those that it cannot do without. */
export function fitting<Column extends Fitted>(columns: readonly Column[], room: number): readonly Column[] | null {
  const needed = columns.reduce((sum, { width, least = leastShare }) => sum + (width ?? least), 0);
  if (needed <= room) return columns;
  const last = columns.map(({ isWide }) => isWide).lastIndexOf(true);
  return last < 0
    ? null
    : fitting(
        columns.filter((_, place) => place !== last),
        room,
      );
}
