// Whom a field of the graph is for, as `@tag` in the schema: the contracts of staff, of tenants and of the platform's own surfaces are printed by it.
import type { Caller } from './caller';
import { mayBeAccounts, mayBeStaffs, type Rule } from './rights';

/** From the widest to the narrowest; each sees what those before it see. `internal`: pages, checkout steps, the REST facade and the sandbox. */
export const audiences = ['tenant', 'staff', 'internal'] as const;
export type Audience = (typeof audiences)[number];

/** Those that ask the graph themselves. */
export type CallerContract = Exclude<Audience, 'internal'>;
export const contracts: readonly CallerContract[] = ['tenant', 'staff'];

/** Whom a rule of `@allow` lets in: a tenant when one of its words is one that an account may hold. */
export function audienceOf(rule: readonly Rule[]): Audience {
  if (rule.some(mayBeAccounts)) return 'tenant';
  return rule.some(mayBeStaffs) ? 'staff' : 'internal';
}

/** What a caller is shown of the graph, and may ask. */
export function contractOf({ accountId }: Pick<Caller, 'accountId'>): CallerContract {
  return accountId === null ? 'staff' : 'tenant';
}
