// A refusal in the person's language, by its code and the field that it names; never in the words of the graph, which are for programs.
import { type AskError, refusalCodeOf } from '../graph/refusal-code';
import { words } from '../strings/language';

/** These say of a field that it is wrong, and not how. */
const ofFields: ReadonlySet<string> = new Set(['invalidInput', 'invalidData', 'fieldMissing']);

export function refusalWord(code: string): string {
  const { faults, refusals } = words();
  const known: Partial<Record<string, string>> = { ...refusals.codes, ...faults.codes };
  return known[code] ?? refusals.other(code);
}

export function sayRefusal(error: AskError): string {
  const code = refusalCodeOf(error);
  const field = error.graphQLErrors[0]?.extensions?.['field'];
  const known: Partial<Record<string, string>> = words().refusals.fields;
  const ofField = ofFields.has(code) && typeof field === 'string' ? known[field.split('.').at(-1) ?? ''] : undefined;
  return ofField ?? refusalWord(code);
}
