// What of two results must be equal: data (fields merged from several places may come in another order), and errors by path and code.
import type { ExecutionResult } from 'graphql';

interface Comparable {
  data: unknown;
  errors: string[];
}
type Place = readonly (string | number)[];

/** What the gateway answers, and what its oracle does, which tells what it lacks beside the answer and only where nothing else is wrong. */
export function compared(
  result: ExecutionResult,
  oracle: ExecutionResult,
): { found: Comparable; expected: Comparable } {
  const expected = comparable(oracle);
  const { data, errors } = comparable(result);
  const known = [...expected.errors];
  const isKnown = (error: string) => known.includes(error) && known.splice(known.indexOf(error), 1).length > 0;
  const told = ((oracle.extensions?.['valueCompletion'] ?? []) as { path: Place }[]).map(({ path }) => path);
  const isTold = (place: Place) => expected.errors.length > 0 || told.some((each) => isAtOrAbove(place, each));
  return {
    found: { data, errors: errors.filter((error) => isKnown(error) || !isLack(error, data, isTold)) },
    expected,
  };
}

function comparable({ data, errors }: ExecutionResult): Comparable {
  return {
    data: JSON.parse(JSON.stringify(data ?? null)) as unknown,
    errors: (errors ?? [])
      .map(({ path, message, extensions: { code } }) =>
        JSON.stringify({ path, code: isVariableError(message) ? 'invalidInput' : code }),
      )
      .sort(),
  };
}

/** A defect that is told at a null of the answer, where the oracle lacks something too. */
function isLack(error: string, data: unknown, isTold: (place: Place) => boolean): boolean {
  const { path, code } = JSON.parse(error) as { path?: Place; code: string };
  return code === 'internal' && path !== undefined && leadsToNull(data, path) && isTold(path);
}

function leadsToNull(data: unknown, path: Place): boolean {
  let value = data;
  for (const part of path) {
    if (value === null) return true;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value === null;
}

function isAtOrAbove(place: Place, other: Place): boolean {
  return place.every((part, index) => part === other[index]);
}

function isVariableError(message: string): boolean {
  return message.startsWith('Variable "$');
}
