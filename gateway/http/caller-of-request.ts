// Who calls over HTTP: by the Authorization header, or without one by a session's cookie.
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import type { Blame } from '../../subgraphs/shared/callers/credential-failures';
import type { Persons } from '../sign-in/persons';

export interface CallerDeps {
  /** The caller of an Authorization header; refuses with `unauthenticated`, or `unavailable` when it cannot tell. */
  authenticate: (authorization: string | undefined) => Promise<Caller>;
  /** Whose a session's cookie is; absent: nobody signs in here. */
  persons?: Persons | undefined;
  /** Counts a wrong token of an address; what to throw. Absent: none is counted. */
  blame?: Blame | undefined;
}

/** A missing token is nobody's fault; a wrong one is counted. */
export async function callerOfRequest(
  { authenticate, persons, blame }: CallerDeps,
  request: IncomingMessage,
  requestId: string,
): Promise<Caller> {
  const { authorization } = request.headers;
  const person = authorization === undefined && persons ? await persons.callerOf(request) : null;
  if (person) return person;
  try {
    return await authenticate(authorization);
  } catch (error) {
    throw authorization && blame ? await blame('graph', request, error, requestId) : error;
  }
}
