// Optional members of an object literal: those that have a value, for readers to whom an undefined member is not an absent one (filters, variables, signed text).

type Present<Members, Absent> = { [Name in keyof Members]?: Exclude<Members[Name], Absent> };

/** `{ ...withoutUndefined({ from, to }) }` has only those of the two that are not undefined. */
export function withoutUndefined<Members extends object>(members: Members): Present<Members, undefined> {
  const kept: Present<Members, undefined> = {};
  for (const name in members) if (members[name] !== undefined) kept[name] = members[name] as never;
  return kept;
}

/** The same of those that are not null either. */
export function withoutAbsent<Members extends object>(members: Members): Present<Members, undefined | null> {
  const kept: Present<Members, undefined | null> = {};
  for (const name in members) if (members[name] != null) kept[name] = members[name] as never;
  return kept;
}
