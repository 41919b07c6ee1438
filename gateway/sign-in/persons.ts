// Whose request it is by the session's cookie, and whether one of our own pages made it: a browser sends cookies with what other sites ask, too.
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { DomainError } from '../../subgraphs/shared/errors';
import type { CookieJar } from './cookies';

export interface Persons {
  /** Null without a cookie; throws `unauthenticated` when the session is over, `forbidden` when another site may have made the request. */
  callerOf(request: IncomingMessage): Promise<Caller | null>;
  /** The same of a WebSocket's upgrade. */
  callerOfSocket(request: IncomingMessage): Promise<Caller | null>;
}

export interface PersonsDeps {
  jar: CookieJar;
  /** Where our own pages are. */
  origin: string;
  /** Whose this value of the cookie is; `use` is a use of the session, which lives on. */
  sessions: Record<'read' | 'use', (value: string) => Promise<{ caller: Caller }>>;
}

/** A form of another site can send none of these, and a script there has to ask first and is refused. */
const ownHeaders = ['x-requested-with', 'apollo-require-preflight', 'graphql-require-preflight'];

/** What a page asks by itself while nobody touches it says `no`: an open page would keep its session for good (OWASP, session management: idle timeout). */
const attended = 'x-attended';

export function createPersons({ jar, origin, sessions }: PersonsDeps): Persons {
  const callerOf = async (request: IncomingMessage, how: 'read' | 'use', assertOurs: () => void) => {
    const value = jar.read(request, jar.session);
    if (!value) return null;
    assertOurs();
    return (await sessions[how](value)).caller;
  };
  return {
    callerOf: (request) =>
      callerOf(request, request.headers[attended] === 'no' ? 'read' : 'use', () => {
        if (request.method === 'GET') assertNotForeign(request, origin);
        else assertOwnPage(request, origin);
      }),
    // A connection that broke is opened anew by the page, not by the person.
    callerOfSocket: (request) => callerOf(request, 'read', () => assertOrigin(request, origin)),
  };
}

/** Refuses with `forbidden` what another site can make a browser send. */
function assertOwnPage(request: IncomingMessage, origin: string): void {
  assertOrigin(request, origin);
  if (ownHeaders.some((name) => request.headers[name])) return;
  throw new DomainError('forbidden', `with a session's cookie a request has a header ${ownHeaders[0]}`);
}

/** A link on a page of another site brings the cookie along, and a GET may cost much or leave a record in the person's name. */
function assertNotForeign(request: IncomingMessage, origin: string): void {
  const { origin: from = origin, 'sec-fetch-site': site = 'none' } = request.headers;
  if (from !== origin || !['none', 'same-origin'].includes(String(site))) throw foreign(origin);
}

export function assertOrigin({ headers }: IncomingMessage, origin: string): void {
  if (headers.origin !== origin) throw foreign(origin);
}

const foreign = (origin: string) =>
  new DomainError('forbidden', `a session's cookie is taken from pages of ${origin} only`);
