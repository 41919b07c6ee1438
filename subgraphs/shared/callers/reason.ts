// Why somebody does something, in words: of whom it is asked, read alike wherever an act asks for it, and as the audit has it.
import { freeText, refuseField } from '../field-reader';
import type { AuditedChange } from './audit';
import { type Caller, isStaff } from './caller';

const charactersMax = 500;

/** Of the argument of acts that take something away, stop, send again or rotate. */
export const reasonArgument = {
  nullable: true,
  description:
    'Why, in words, 500 characters at most; kept in the audit. Required of people who are staff; programs, and people of an account for what is their own, may leave it out.',
} as const;

interface WhoActs {
  caller: Pick<Caller, 'kind' | 'accountId'>;
}

/**
 * Of acts that take something away, stop, send again or rotate: people who are staff say why, others may. Null: nobody said it. Refuses with
 * `invalidInput`; a card number in it is masked.
 */
export function reasonOfAct({ caller }: WhoActs, given: string | null | undefined): string | null {
  const reason = readReason(given);
  if (reason === null && caller.kind === 'person' && isStaff(caller))
    refuseField('reason', 'is required of people who are staff');
  return reason;
}

/** Of acts of money: all of staff say why, their programs too; merchants' own systems need not. Otherwise as `reasonOfAct`. */
export function reasonOfMoney({ caller }: WhoActs, given: string | null | undefined): string | null {
  const reason = readReason(given);
  if (reason === null && isStaff(caller)) refuseField('reason', 'is required of staff');
  return reason;
}

/** Null: none was given. */
function readReason(given: string | null | undefined): string | null {
  return freeText(charactersMax)(given?.trim() ?? '', 'reason') || null;
}

/** Of an argument that has always been required. Refuses with `invalidInput` what says nothing, too. */
export function requireReason(given: string): string {
  return readReason(given) ?? refuseField('reason', 'is required');
}

/** Among the changes of a record; nothing where none was given. */
export function reasonChange(reason: string | null): AuditedChange['changes'] {
  return reason === null ? [] : [{ field: 'reason', from: null, to: reason }];
}
