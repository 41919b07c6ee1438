// Why somebody does something, in words: read alike wherever an act asks for it, and as the audit has it.
import { freeText, refuseField } from '../field-reader';
import type { AuditedChange } from './audit';

const charactersMax = 500;

/** Of the argument of acts that can be done without a word. */
export const reasonArgument = {
  nullable: true,
  description: 'Why, in words, 500 characters at most; kept in the audit.',
} as const;

/** Null: none was given. Refuses with `invalidInput`; a card number in it is masked. */
export function readReason(given: string | null | undefined): string | null {
  return freeText(charactersMax)(given?.trim() ?? '', 'reason') || null;
}

/** Refuses with `invalidInput` what says nothing, too. */
export function requireReason(given: string): string {
  return readReason(given) ?? refuseField('reason', 'is required');
}

/** Among the changes of a record; nothing where none was given. */
export function reasonChange(reason: string | null): AuditedChange['changes'] {
  return reason === null ? [] : [{ field: 'reason', from: null, to: reason }];
}
