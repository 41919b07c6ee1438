// From a person's groups at the provider to what it may do here (OIDC_ROLES). Pure.
import type { ClientScope } from '../../shared/callers/caller';
import { type GroupMeaning, staffRoles } from '../../shared/callers/rights';

export type GroupMeanings = Readonly<Record<string, GroupMeaning>>;

export interface Membership {
  accountId: string | null;
  scopes: ClientScope[];
}

const tenantScopes: ClientScope[] = ['graph:read', 'graph:callbacks:write'];

/** Null: none of the groups means anything here, or they name two accounts. Staff see every account: a role of staff says more than a tenant's group. */
export function decideMembership(groups: readonly string[], meanings: GroupMeanings): Membership | null {
  const meant = new Set(groups.flatMap((group) => (Object.hasOwn(meanings, group) ? [meanings[group]] : [])));
  const roles = staffRoles.filter((role) => meant.has(role));
  if (roles.length > 0) return { accountId: null, scopes: roles.map((role) => `graph:${role}` as const) };
  const accounts = [...meant].map((meaning) => String(meaning).slice('tenant:'.length));
  const [accountId] = accounts;
  return accountId !== undefined && accounts.length === 1 ? { accountId, scopes: [...tenantScopes] } : null;
}
