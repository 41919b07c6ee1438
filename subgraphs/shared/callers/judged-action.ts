// What a caller may do with a thing now, and why not otherwise: the rights of the mutation, its own decision and whether a person has signed in a moment ago, asked ahead of it.
import { DomainError } from '../errors';
import { assertFreshSignIn } from './allow';
import type { Caller } from './caller';
import { may, neededWords, type Rule } from './rights';

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
  /** Of acts that a person does only within minutes of a sign-in: now; null or absent of others. */
  freshAt?: Date | null;
  /** Throws what the mutation would refuse with. */
  decide(): unknown;
}

/**
 * Acts of which somebody lacks the right tell no more than that. What a new sign-in would not help tells its own refusal, though the mutation asks for
 * the sign-in first: nobody shall sign in for nothing.
 */
export function judgeActions<Action extends string>(
  caller: Caller,
  acts: readonly Act<Action>[],
): JudgedAction<Action>[] {
  return acts.map(({ action, rights, freshAt, decide }) => {
    const refused = may(caller, ...rights)
      ? (refusalFrom(decide) ?? refusalFrom(() => freshAt && assertFreshSignIn({ caller }, freshAt)))
      : new DomainError('forbidden', neededWords(rights));
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
