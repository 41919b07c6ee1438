// Who may do what: rights by purpose, the staff roles as sets of them, and what each scope of a credential grants. The schema names them (@allow), and nothing else decides.
/** What may be seen. An account's own clients hold them too, and see their own account. */
const readingRights = [
  'payments:read',
  'merchants:read',
  'tokens:read',
  'callbacks:read',
  'events:read',
  'ledger:read',
  'onboarding:read',
  'clients:read',
  'keys:read',
  'audit:read',
  'proposals:read',
  'people:read',
  'jobs:read',
] as const;

/** What may be done. */
export const actingRights = [
  'payments:authorize',
  'payments:capture',
  'payments:cancel',
  'payments:refund',
  'ledger:book',
  'ledger:settle',
  'payout-account:write',
  'onboarding:write',
  'onboarding:approve',
  'merchants:write',
  'callbacks:write',
  'lists:export',
  'clients:write',
  'keys:write',
  'rights:write',
  'people:write',
  'jwe-keys:write',
  'schema:read',
] as const;

/** What may be asked: in production whoever lacks it asks trusted documents only. Clients of the graph ask what their scopes open. */
const askingRights = ['graph:ad-hoc'] as const;

type ReadingRight = (typeof readingRights)[number];
export type ActingRight = (typeof actingRights)[number];
type AskingRight = (typeof askingRights)[number];
type StaffRight = ReadingRight | ActingRight;

/** What the credentials of the three interfaces, our pages and the sandbox key may do, each its own; `public` is everybody's. */
const credentialRights = [
  'mts:token',
  'mts:transaction',
  'mts:lifecycle',
  'payment-service:read',
  'payment-service:write',
  'checkout',
  'administration',
  'onboarding',
  'reporting',
  'pages',
  'sandbox:control',
] as const;
type CredentialRight = (typeof credentialRights)[number];

export type Right = StaffRight | AskingRight | CredentialRight;
/** A word of `@allow`. */
export type Rule = Right | 'public';

export const staffRoles = ['viewer', 'support', 'operator', 'administrator'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** What a group of an identity provider means here: a role of staff, or a place in one account. */
export type GroupMeaning = StaffRole | `tenant:${string}`;

const support = [...readingRights, 'callbacks:write', 'onboarding:write', 'lists:export'] as const;
const operator = [
  ...support,
  'payments:authorize',
  'payments:capture',
  'payments:cancel',
  'payments:refund',
  'ledger:book',
  'ledger:settle',
  'payout-account:write',
  'onboarding:approve',
  'merchants:write',
] as const;

const rightsOfRole: Record<StaffRole, ReadonlySet<StaffRight | AskingRight>> = {
  viewer: new Set(readingRights),
  support: new Set(support),
  operator: new Set(operator),
  administrator: new Set([...readingRights, ...actingRights, ...askingRights]),
};

/** The scopes of clients of the graph: two old names, the roles, and each right by itself. */
export type GraphScope = 'graph:read' | 'graph:admin' | `graph:${StaffRole}` | `graph:${StaffRight}` | AskingRight;

/** In their fixed order, the widest last but for single rights. */
export const graphScopes: readonly GraphScope[] = [
  'graph:read',
  'graph:admin',
  ...staffRoles.map((role) => `graph:${role}` as const),
  ...readingRights.map((right) => `graph:${right}` as const),
  ...actingRights.map((right) => `graph:${right}` as const),
  ...askingRights,
];

/** What an account's own graph client may hold: a look at its own things, and its own callback addresses. */
const accountRights: ReadonlySet<Rule> = new Set<StaffRight>([...readingRights, 'callbacks:write']);

/** Whether a word of `@allow` is everybody's, or one that an account's own client may hold. */
export function mayBeAccounts(right: Rule): boolean {
  return right === 'public' || accountRights.has(right);
}

/** Whether staff may hold it. */
export function mayBeStaffs(right: Rule): boolean {
  return rightsOfRole.administrator.has(right as StaffRight);
}

/** In words for whoever lacks them: those of the three interfaces and of our pages, which nobody at the graph is given, only where there are no others. */
export function neededWords(rule: readonly Rule[]): string {
  const given = rule.filter(mayBeStaffs);
  return `needs ${(given.length > 0 ? given : rule).join(' or ')}`;
}

/** Everything else is staff's: no account is granted it, and a grant that is found in the store does nothing. */
const accountGraphScopes: ReadonlySet<string> = new Set<GraphScope>([
  'graph:read',
  ...readingRights.map((right) => `graph:${right}` as const),
  'graph:callbacks:write',
]);

export function isStaffScope(scope: string): boolean {
  return scope.startsWith('graph:') && !accountGraphScopes.has(scope);
}

const rightsOfScope: ReadonlyMap<string, ReadonlySet<Rule>> = new Map<string, ReadonlySet<Rule>>([
  ...credentialRights.filter((right) => !right.startsWith('payment-service:')).map((right) => only(right, right)),
  only('payments:read', 'payment-service:read'),
  only('payments:write', 'payment-service:write'),
  ['graph:read', rightsOfRole.viewer],
  ['graph:admin', rightsOfRole.administrator],
  ...staffRoles.map((role): [string, ReadonlySet<Rule>] => [`graph:${role}`, rightsOfRole[role]]),
  ...[...readingRights, ...actingRights].map((right) => only(`graph:${right}`, right)),
  ...askingRights.map((right) => only(right, right)),
]);

function only(scope: string, right: Right): [string, ReadonlySet<Rule>] {
  return [scope, new Set<Rule>([right])];
}

/** As much of a caller as its rights depend on. */
export interface Holder {
  /** Null: staff, or the platform itself. */
  accountId: string | null;
  scopes: readonly string[];
}

/** Whether any of the caller's scopes grants one of the rights. A caller of an account never holds a right of staff, whatever its scopes say. */
export function may(caller: Holder, ...anyOf: readonly Rule[]): boolean {
  return anyOf.some((right) => right === 'public' || caller.scopes.some((scope) => grants(scope, right, caller)));
}

function grants(scope: string, right: Rule, { accountId }: Holder): boolean {
  if (!rightsOfScope.get(scope)?.has(right)) return false;
  return accountId === null || !scope.startsWith('graph:') || accountRights.has(right);
}

/** Every right of a caller, in the order of the lists above. */
export function rightsOf(caller: Holder): Right[] {
  return [...readingRights, ...actingRights, ...askingRights, ...credentialRights].filter((right) =>
    may(caller, right),
  );
}

/** The staff roles whose every right the caller holds. */
export function rolesOf(caller: Holder): StaffRole[] {
  if (caller.accountId !== null) return [];
  return staffRoles.filter((role) => [...rightsOfRole[role]].every((right) => may(caller, right)));
}

/** A client of the graph, by whatever of its scopes. */
export function mayUseGraph({ scopes }: Pick<Holder, 'scopes'>): boolean {
  return scopes.some((scope) => scope.startsWith('graph:'));
}

export function mayAct(caller: Holder): boolean {
  return may(caller, ...actingRights);
}
