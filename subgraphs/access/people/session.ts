// A session of a person: begun by a sign-in, over when nothing was asked for a while, at the end of its day, or when somebody ends it. Pure.
import type { Caller, Environment } from '../../shared/callers/caller';
import { sha256 } from '../../shared/ids';
import { withoutAbsent } from '../../shared/present-members';
import { credentialIdOf, type Person } from './person';

export interface Session {
  /** Made from the cookie's value, which is kept nowhere. */
  sessionId: string;
  environment: Environment;
  personId: string;
  /** The person's generation at the sign-in. */
  generation: number;
  createdAt: Date;
  /** When the person proved to be that person; null when the provider did not say and was not asked to ask. */
  authTime: Date | null;
  /** Over when nothing is asked until then. */
  idleUntil: Date;
  /** Over then, whatever is asked. */
  endsAt: Date;
  signedOutAt: Date | null;
}

/** How long sessions live, on the one clock. */
export interface SessionLife {
  idleMs: number;
  wholeMs: number;
}

const idPrefix = 'session_';

/** What tells people (and secret scanners) what they found, and keeps the environments apart before anything is looked up. */
export function sessionValuePrefix(environment: Environment): string {
  return `ps_${environment}`;
}

/** False for whatever we cannot have given out in this environment. */
export function looksLikeSession(environment: Environment, value: string): boolean {
  return value.startsWith(`${sessionValuePrefix(environment)}_`) && /^[A-Za-z0-9_-]{20,100}$/.test(value);
}

export function sessionIdOf(value: string): string {
  return `${idPrefix}${sha256(value)}`;
}

/** Tells the id of a session from the hash of an access token. */
export function isSessionId(id: string): boolean {
  return id.startsWith(idPrefix);
}

export function isSessionLive(session: Session, person: Person | null, now: Date): boolean {
  return (
    session.signedOutAt === null &&
    session.idleUntil > now &&
    session.endsAt > now &&
    person !== null &&
    person.status === 'ACTIVE' &&
    person.scopes.length > 0 &&
    person.environment === session.environment &&
    person.sessionGeneration === session.generation
  );
}

/** Who calls with this session. */
export function callerOfPerson(person: Person, session: Session): Caller {
  return Object.freeze({
    kind: 'person',
    credentialId: credentialIdOf(person),
    name: person.name,
    environment: person.environment,
    accountId: person.accountId,
    scopes: person.scopes,
    identifiers: [],
    accessTokenHash: session.sessionId,
    expiresAt: session.endsAt,
    ...withoutAbsent({ authTime: session.authTime }),
  });
}

/** A use is written down no more often than that. */
const touchedEveryMs = 60_000;

/** Until when an idle session lives after a use; null while what is written down is recent enough. */
export function decideTouch({ idleUntil }: Session, { idleMs }: SessionLife, now: Date): Date | null {
  const next = new Date(now.getTime() + idleMs);
  return next.getTime() - idleUntil.getTime() >= Math.min(touchedEveryMs, idleMs / 4) ? next : null;
}
