// A person who signs in: who the provider says it is, what its groups there let it do here, and its settings. Pure.
import type { AuditedChange } from '../../shared/callers/audit';
import type { ClientScope, Environment } from '../../shared/callers/caller';
import { rolesOf } from '../../shared/callers/rights';
import { DomainError } from '../../shared/errors';

export const personStatuses = ['ACTIVE', 'DISABLED'] as const;
export type PersonStatus = (typeof personStatuses)[number];

export const themes = ['SYSTEM', 'LIGHT', 'DARK'] as const;
export const densities = ['COMFORTABLE', 'COMPACT'] as const;

/** How a person wants to see things; null leaves it to the program that draws them. */
export interface Preferences {
  theme: (typeof themes)[number];
  density: (typeof densities)[number];
  /** BCP 47. */
  locale: string | null;
  /** IANA. */
  timeZone: string | null;
}

export const defaultPreferences: Preferences = {
  theme: 'SYSTEM',
  density: 'COMFORTABLE',
  locale: null,
  timeZone: null,
};

export interface Person {
  personId: string;
  environment: Environment;
  /** Null: staff. */
  accountId: string | null;
  /** Who says so, and under which name: together they never name another person. */
  issuer: string;
  subject: string;
  name: string;
  email: string | null;
  /** What the groups came to at the last sign-in; empty: may do nothing and has no session. */
  scopes: ClientScope[];
  status: PersonStatus;
  /** Sessions of an earlier generation are over: one write ends them all. */
  sessionGeneration: number;
  preferences: Preferences;
  lastSeenAt: Date;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** The name under which limits, audit and proposals know a person: the same in all of its sessions. */
export function credentialIdOf({ personId }: Pick<Person, 'personId'>): string {
  return `person:${personId}`;
}

/** What the audit says of something that happened to a person. */
export function personChange(
  { personId, accountId }: Person,
  action: AuditedChange['action'],
  changes: AuditedChange['changes'],
): AuditedChange {
  return { action, subjectType: 'person', subjectId: personId, accountId, changes };
}

/** Staff roles whose every right the holder has; `tenant` for whoever belongs to an account. */
export function roleWordsOf({ accountId, scopes }: Pick<Person, 'accountId' | 'scopes'>): string[] {
  if (accountId === null) return rolesOf({ accountId, scopes });
  return scopes.length > 0 ? ['tenant'] : [];
}

const localePattern = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;

/** The settings as they are to be kept; what is absent stays as it was. Refuses with `invalidInput`. */
export function decidePreferences(known: Preferences, wanted: Partial<Preferences>): Preferences {
  const next = { ...known, ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) };
  if (next.locale !== null && !localePattern.test(next.locale))
    throw new DomainError('invalidInput', 'locale is no language tag such as en or da-DK', { field: 'locale' });
  if (next.timeZone !== null && !isTimeZone(next.timeZone))
    throw new DomainError('invalidInput', 'timeZone is no zone such as Europe/Copenhagen', { field: 'timeZone' });
  return next;
}

function isTimeZone(name: string): boolean {
  try {
    return name.length <= 64 && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
