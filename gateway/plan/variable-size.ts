// How much the variables of one request may hold, told without recursion: whatever is nested deeper than a stack is no accident.
import { DomainError } from '../../subgraphs/shared/errors';
import { limits } from './limits';

/** A text of this length can hold nothing that would have to be counted. */
export const harmlessBytes = 4 * 1024;

/** Refuses values that are too many or nested too deep. */
export function requireModestValues(values: unknown): void {
  let level: unknown[] = [values];
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.variableDepthMax) throw tooMuch(`nested deeper than ${limits.variableDepthMax} levels`);
    const objects = level.filter((value) => typeof value === 'object' && value !== null);
    level = objects.flatMap((value) => Object.values(value as object));
    count += level.length;
    if (count > limits.variableValuesMax) throw tooMuch(`more than ${limits.variableValuesMax} values`);
  }
}

function tooMuch(what: string): DomainError {
  return new DomainError('invalidInput', `the variables are ${what}`, { field: 'variables' });
}
