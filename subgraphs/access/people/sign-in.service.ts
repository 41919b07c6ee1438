// A sign-in that the provider vouches for: the person as it is from now on, and a session of its own; or a refusal that the audit knows of.
import type { AuditedChange, RecordChange } from '../../shared/callers/audit';
import { anonymousCaller, type Environment } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import type { Clock } from '../../shared/clock';
import { DomainError } from '../../shared/errors';
import { newOrderedId, newSecret, uuidOf } from '../../shared/ids';
import { decideAgain } from '../../shared/store/decide-again';
import type { InTransaction } from '../../shared/store/unit-of-work';
import { decideMembership, type GroupMeanings, type Membership } from './membership';
import { credentialIdOf, defaultPreferences, type Person, personChange, roleWordsOf } from './person';
import type { PersonRepository } from './person.repository';
import { type Session, type SessionLife, sessionIdOf, sessionValuePrefix } from './session';
import type { SessionRepository } from './session.repository';

/** Who the provider says it is. */
export interface Identity {
  issuer: string;
  subject: string;
  name: string;
  email: string | null;
  groups: readonly string[];
  /** When the person proved it there; null when the provider did not say and was not asked to ask. */
  authTime: Date | null;
}

/** The call that brought it. */
export type SignInOrigin = Pick<RequestContext, 'requestId' | 'address'>;

export interface SignedIn {
  /** For the cookie; only its hash is kept. */
  value: string;
  person: Person;
  session: Session;
}

export interface SignInDeps {
  environment: Environment;
  clock: Clock;
  inTransaction: InTransaction;
  audit: RecordChange;
  people: PersonRepository;
  sessions: SessionRepository;
  meanings: GroupMeanings;
  life: SessionLife;
}

/** Refuses with `forbidden`: the groups mean nothing here, or the person is disabled. */
export function signIn(deps: SignInDeps, identity: Identity, from: SignInOrigin): Promise<SignedIn> {
  return decideAgain(async () => {
    const known = await deps.people.findByIdentity(deps.environment, identity);
    const membership = decideMembership(identity.groups, deps.meanings);
    const refusal = !membership
      ? 'no group of this person has a role here'
      : known?.status === 'DISABLED'
        ? 'disabled'
        : null;
    if (!membership || refusal) {
      await keepRefusal(deps, { identity, known, from, membership, reason: refusal ?? '' });
      throw new DomainError('forbidden', refusal ?? undefined);
    }
    return begin(deps, { identity, known, membership, from });
  });
}

interface SignInBeginning {
  identity: Identity;
  known: Person | null;
  membership: Membership;
  from: SignInOrigin;
}

async function begin(deps: SignInDeps, { identity, known, membership, from }: SignInBeginning): Promise<SignedIn> {
  const { environment, clock, people, sessions, life } = deps;
  const now = clock.now();
  const person = known
    ? changed(known, { identity, membership, now })
    : fresh(environment, { identity, membership, now });
  const value = newSecret(sessionValuePrefix(environment));
  const session: Session = {
    sessionId: sessionIdOf(value),
    environment,
    personId: person.personId,
    generation: person.sessionGeneration,
    createdAt: now,
    authTime: identity.authTime && identity.authTime < now ? identity.authTime : identity.authTime && now,
    idleUntil: new Date(now.getTime() + life.idleMs),
    endsAt: new Date(now.getTime() + life.wholeMs),
    signedOutAt: null,
  };
  const roles = rolesChange(known, person);
  const records = [...(roles ? [roles] : []), personChange(person, 'person.signedIn', [])];
  await deps.inTransaction({
    inserts: [
      ...(known ? [] : [people.insert(person)]),
      sessions.insert(session),
      ...records.map((record) => recordBy(deps, person, from, record)),
    ],
    updates: known ? [people.replace(person, known.version)] : [],
  });
  return { value, person, session };
}

interface SaidIdentity {
  identity: Identity;
  membership: Membership;
  now: Date;
}

function fresh(environment: Environment, { identity, membership, now }: SaidIdentity): Person {
  const { issuer, subject, name, email } = identity;
  return {
    personId: newOrderedId(),
    environment,
    ...membership,
    issuer,
    subject,
    name,
    email,
    status: 'ACTIVE',
    sessionGeneration: 1,
    preferences: { ...defaultPreferences },
    lastSeenAt: now,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/** Of another account than before, its other sessions are over: what they have open and hear of is the former account's. */
function changed(known: Person, { identity: { name, email }, membership, now }: SaidIdentity): Person {
  const sessionGeneration = known.sessionGeneration + (membership.accountId === known.accountId ? 0 : 1);
  const seen = { lastSeenAt: now, version: known.version + 1, updatedAt: now };
  return { ...known, ...membership, name, email, sessionGeneration, ...seen };
}

interface SignInRefusal {
  identity: Identity;
  known: Person | null;
  from: SignInOrigin;
  membership: Membership | null;
  reason: string;
}

/** What was open of somebody whose groups mean nothing any more ends with it, for good. */
async function keepRefusal(
  deps: SignInDeps,
  { identity, known, from, membership, reason }: SignInRefusal,
): Promise<void> {
  const { environment, clock, people, inTransaction, audit } = deps;
  const change: AuditedChange = {
    action: 'person.signInRefused',
    subjectType: 'person',
    subjectId: known?.personId ?? uuidOf(`person ${identity.issuer} ${identity.subject}`),
    accountId: known?.accountId ?? null,
    changes: [
      { field: 'reason', from: null, to: reason },
      { field: 'email', from: null, to: identity.email },
    ],
  };
  const isOut = known !== null && membership === null && known.scopes.length > 0;
  if (!isOut) return inTransaction({ inserts: [audit({ caller: anonymousCaller(environment), ...from }, change)] });
  const next: Person = {
    ...known,
    scopes: [],
    sessionGeneration: known.sessionGeneration + 1,
    version: known.version + 1,
    updatedAt: clock.now(),
  };
  const roles = rolesChange(known, next);
  await inTransaction({
    inserts: [...(roles ? [roles] : []), change].map((record) => recordBy(deps, known, from, record)),
    updates: [people.replace(next, known.version)],
  });
}

/** Null while what it may do is the same. */
function rolesChange(before: Person | null, after: Person): AuditedChange | null {
  const [from, to] = [before && placeOf(before), placeOf(after)];
  return from === to ? null : personChange(after, 'person.rolesChanged', [{ field: 'roles', from, to }]);
}

function placeOf(person: Person): string {
  const { accountId } = person;
  return [...roleWordsOf(person), ...(accountId === null ? [] : [accountId])].join(' ');
}

function recordBy({ environment, audit }: SignInDeps, person: Person, from: SignInOrigin, change: AuditedChange) {
  const caller = { ...anonymousCaller(environment), credentialId: credentialIdOf(person), accountId: person.accountId };
  return audit({ caller, ...from }, change);
}
