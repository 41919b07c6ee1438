// Names as people look them up: in whatever case, without accents, by how they begin.

/** Of an index of names, and of whoever reads along it. */
export const nameOrder = { locale: 'en', strength: 1 } as const;

/** The names that begin so, in that order. */
export function beginningLike(text: string): { $gte: string; $lt: string } {
  return { $gte: text, $lt: `${text}\uffff` };
}
