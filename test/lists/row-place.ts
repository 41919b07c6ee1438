// What a row is made from: its number, who has it, and words that few or many others share.

export const merchants = 20;
const start = Date.parse('2026-01-01T00:00:00Z');
/** The row that the children of a twentieth of the rows are of. */
export const crowded = 20;

/** The id of the row with that number. */
export const rowId = (index: number): string => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;
/** The token that many events are about. */
export const tokenWithEvents = rowId(60);
/** When the row with that number was made. */
export const timeOf = (index: number): Date => new Date(start + index * 1_000);
/** The day of the payout with that number. */
export const dayOf = (index: number): string => new Date(start + index * 86_400_000).toISOString().slice(0, 10);

/** What a row is made from. */
export interface Place {
  index: number;
  accountId: string;
  isRare: boolean;
  at: Date;
  /** `rare`, or the word of a twentieth of the rows, or one of its own. */
  word(name: string): string;
  /** `rare`, or a word of its own. */
  single(name: string): string;
  /** The row whose children are many: of a twentieth of the rows; of the others a word of its own. */
  parent(name: string, id?: string): string;
}

export type Maker = (place: Place) => Record<string, unknown>;
