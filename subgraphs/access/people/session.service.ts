// Sessions in use: whose a cookie is, that it was used, which still live, and the end of one.
import type { Caller } from '../../shared/callers/caller';
import { DomainError } from '../../shared/errors';
import { createTtlCache } from '../../shared/store/ttl-cache';
import { type InTransaction, WriteConflict } from '../../shared/store/unit-of-work';
import type { Person } from './person';
import { callerOfPerson, decideTouch, isSessionLive, looksLikeSession, type Session, sessionIdOf } from './session';
import { type Identity, type SignedIn, type SignInDeps, type SignInOrigin, signIn } from './sign-in.service';

/** With the time until open connections are looked at again still below the promised second. */
const rememberedMsMax = 500;
const rememberedMax = 10_000;

/** A session that lives, and whose it is. */
export interface LiveSession {
  session: Session;
  person: Person;
  caller: Caller;
}

export interface SessionService {
  /** Refuses with `forbidden`: the groups mean nothing here, or the person is disabled. */
  signIn(identity: Identity, from: SignInOrigin): Promise<SignedIn>;
  /** Whose this value of the cookie is; throws `unauthenticated` when it does not work any more. Is no use of the session. */
  read(value: string): Promise<LiveSession>;
  /** The same as a use: it lives on. */
  use(value: string): Promise<LiveSession>;
  /** Ends it; nothing happens when it is over already. */
  signOut(value: string, from: SignInOrigin): Promise<void>;
  /** Those of these sessions that live, by id. */
  live(sessionIds: readonly string[]): Promise<LiveSession[]>;
  /** Forgets remembered sessions of this process, after a change that it made itself. */
  forgetRemembered(): void;
}

export function createSessionService(deps: SignInDeps): SessionService {
  const { environment, clock, inTransaction, people, sessions, life, audit } = deps;
  const remembered = createTtlCache<LiveSession>({
    keptMsMax: rememberedMsMax,
    sizeMax: rememberedMax,
    load: async (sessionId) => (await live([sessionId]))[0] ?? null,
  });

  async function live(sessionIds: readonly string[]): Promise<LiveSession[]> {
    if (sessionIds.length === 0) return [];
    const found = await sessions.find(environment, sessionIds);
    const owners = await people.findForAuthentication(environment, [...new Set(found.map(({ personId }) => personId))]);
    const byId = new Map(owners.map((person) => [person.personId, person]));
    const now = clock.now();
    return found.flatMap((session) => {
      const person = byId.get(session.personId) ?? null;
      return person && isSessionLive(session, person, now)
        ? [{ session, person, caller: callerOfPerson(person, session) }]
        : [];
    });
  }

  async function read(value: string): Promise<LiveSession> {
    const known = looksLikeSession(environment, value) ? await remembered.get(sessionIdOf(value)) : null;
    if (known && isSessionLive(known.session, known.person, clock.now())) return known;
    throw new DomainError('unauthenticated', 'the session is over: sign in again');
  }

  /** Written in the background of the request that used it: a use that is lost is made good by the next. */
  function touch({ session, person }: LiveSession): void {
    const now = clock.now();
    const idleUntil = decideTouch(session, life, now);
    if (!idleUntil) return;
    session.idleUntil = idleUntil;
    const unit = { updates: [sessions.touch(session, idleUntil), people.seen(person, now)] };
    void touching(inTransaction, unit);
  }

  return {
    signIn: (identity, from) => signIn(deps, identity, from),
    read,
    async use(value) {
      const used = await read(value);
      touch(used);
      return used;
    },
    async signOut(value, from) {
      const known = await read(value).catch((error: unknown) => {
        if (error instanceof DomainError && error.code === 'unauthenticated') return null;
        throw error;
      });
      remembered.forget(sessionIdOf(value));
      if (!known) return;
      const { caller, session, person } = known;
      const { personId: subjectId, accountId } = person;
      const subject = { subjectType: 'person', subjectId, accountId };
      await inTransaction({
        updates: [sessions.end(session, clock.now())],
        inserts: [audit({ caller, ...from }, { action: 'person.signedOut', ...subject, changes: [] })],
      }).catch((error: unknown) => {
        if (!(error instanceof WriteConflict)) throw error;
      });
    },
    live,
    forgetRemembered: remembered.clear,
  };
}

async function touching(inTransaction: InTransaction, unit: Parameters<InTransaction>[0]): Promise<void> {
  await inTransaction(unit).catch(() => undefined);
}
