// What a caller may do with a thing now, and why not otherwise: the rights of the mutation and its own decision, asked ahead of it.
import { DomainError } from '../errors';
import type { Caller } from './caller';
import { may, type Rule } from './rights';

export interface JudgedAction<Action extends string = string> {
  action: Action;
  allowed: boolean;
  /** The refusal that the act would meet; null when it is allowed. */
  reason: Pick<DomainError, 'code' | 'message'> | null;
}

/** An act as its mutation knows it. */
export interface Act<Action extends string> {
  action: Action;
  /** The rights that open the mutation, any one of them. */
  rights: readonly Rule[];
  /** Throws what the mutation would refuse with. */
  decide(): unknown;
}

/** Acts of which somebody lacks the right tell no more than that. */
export function judgeActions<Action extends string>(
  caller: Caller,
  acts: readonly Act<Action>[],
): JudgedAction<Action>[] {
  return acts.map(({ action, rights, decide }) => {
    const refused = may(caller, ...rights)
      ? refusalFrom(decide)
      : new DomainError('forbidden', `needs ${rights.join(' or ')}`);
    const reason = refused && { code: refused.code, message: refused.message };
    return { action, allowed: refused === null, reason };
  });
}

/** What a decision refuses with; null when it does not. */
export function refusalFrom(decide: () => unknown): DomainError | null {
  try {
    decide();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
