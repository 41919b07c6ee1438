// Calls between our own processes: a statement of who calls, signed by the sending role, bound to one subgraph, path, method, body and minute.

import { createHash, type KeyObject, randomUUID, sign, verify } from 'node:crypto';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { type IdempotencyKey, type RequestContext, requestContext } from '../../subgraphs/shared/callers/context';
import { DomainError } from '../../subgraphs/shared/errors';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import type { PublicKeys, SenderKey } from './internal-keys';
import { isInternalSender, senderFault } from './internal-senders';

/** Header that carries the statement; without a valid one a subgraph answers nothing. */
export const callerHeader = 'x-caller';

const lifetimeSeconds = 60;
/** How far the sender's clock may be ahead of ours. */
const aheadSecondsMax = 5;
/** How long a receiver must remember a call's id: afterwards the call is too old by itself. */
export const callRememberedMs = (lifetimeSeconds + aheadSecondsMax) * 1_000;

/** JWS in its compact form; one algorithm, so that the header is this text and no other. */
const header = Buffer.from('{"alg":"EdDSA"}').toString('base64url');

/** The request that a statement belongs to. */
export interface InternalRequest {
  subgraph: string;
  method: string;
  path: string;
  body: string | Buffer;
}

interface Statement {
  /** The sending role. */
  iss: string;
  aud: string;
  method: string;
  path: string;
  bodyHash: string;
  iat: number;
  /** Told once: a receiver takes a mutation under it a single time. */
  jti: string;
  caller: Omit<Caller, 'expiresAt' | 'authTime'> & { expiresAt?: string; authTime?: string };
  requestId: string;
  address?: string;
  idempotency?: IdempotencyKey;
}

/** The statement of one call, made anew for each try. */
export function signCall({ sender, privateKey }: SenderKey, request: InternalRequest, context: RequestContext): string {
  const { caller, requestId, idempotency, address } = context;
  const statement: Statement = {
    iss: sender,
    aud: request.subgraph,
    method: request.method,
    path: request.path,
    bodyHash: hashOf(request.body),
    iat: Math.floor(Date.now() / 1_000),
    jti: randomUUID(),
    caller: { ...caller, expiresAt: caller.expiresAt?.toISOString(), authTime: caller.authTime?.toISOString() },
    requestId,
    ...withoutUndefined({ address, idempotency }),
  };
  const signed = `${header}.${Buffer.from(JSON.stringify(statement)).toString('base64url')}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

export interface VerifiedCall {
  context: RequestContext;
  callId: string;
}

/** The context of a signed call; refuses with `unauthenticated` whatever is not exactly that. */
export function verifyCall(keys: PublicKeys, request: InternalRequest, statement: string | undefined): VerifiedCall {
  if (!statement) throw refused('it has no statement');
  const { iss, caller, requestId, idempotency, address, jti, ...bound } = readStatement(keys, statement);
  const ageSeconds = Date.now() / 1_000 - bound.iat;
  if (!(ageSeconds <= lifetimeSeconds && ageSeconds >= -aheadSecondsMax)) throw refused('it is of another time');
  const isThisCall = bound.aud === request.subgraph && bound.method === request.method && bound.path === request.path;
  if (!isThisCall) throw refused('it belongs to another call');
  if (bound.bodyHash !== hashOf(request.body)) throw refused('it belongs to another body');
  if (typeof jti !== 'string' || jti === '' || typeof caller !== 'object' || caller === null)
    throw refused('it names no caller or no id');
  const { expiresAt, authTime, ...rest } = caller;
  const known: Caller = {
    ...rest,
    ...withoutUndefined({
      expiresAt: expiresAt ? new Date(expiresAt) : undefined,
      authTime: authTime ? new Date(authTime) : undefined,
    }),
  };
  const fault = isInternalSender(iss) ? senderFault(iss, known) : 'its sender is unknown';
  if (fault) throw refused(fault);
  return { context: requestContext(known, requestId, idempotency, { address }), callId: `${iss}:${jti}` };
}

/** What the sender said, once one of its keys has signed it. */
function readStatement(keys: PublicKeys, statement: string): Statement {
  const [first, payload = '', signature = '', ...rest] = statement.split('.');
  if (first !== header || rest.length > 0) throw refused('it is not signed as calls of ours are');
  const said = parse(payload);
  const known = isInternalSender(said.iss) ? (keys.get(said.iss) ?? []) : [];
  const signed = Buffer.from(`${first}.${payload}`);
  const signatureBytes = Buffer.from(signature, 'base64url');
  if (!known.some((key) => isSignedBy(key, signed, signatureBytes))) throw refused('no key of its sender signed it');
  return said;
}

function parse(payload: string): Statement {
  try {
    const said: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (typeof said === 'object' && said !== null) return said as Statement;
  } catch {
    // Refused below, like anything else that is no statement.
  }
  throw refused('it cannot be read');
}

function isSignedBy(key: KeyObject, signed: Buffer, signature: Buffer): boolean {
  return verify(null, signed, key, signature);
}

function refused(why: string): DomainError {
  return new DomainError('unauthenticated', `the signed caller was refused: ${why}`);
}

function hashOf(body: string | Buffer): string {
  return createHash('sha256').update(body).digest('base64url');
}
