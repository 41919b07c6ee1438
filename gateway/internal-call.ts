// Calls between our own processes: a short-lived signed statement of who calls, bound to one subgraph and one body.
import { createHash } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Caller } from '../subgraphs/shared/caller';
import { type IdempotencyKey, type RequestContext, requestContext } from '../subgraphs/shared/context';
import { DomainError } from '../subgraphs/shared/errors';

/** Header that carries the statement; without a valid one a subgraph answers nothing. */
export const callerHeader = 'x-caller';

const lifetimeSeconds = 30;
const issuer = 'gateway';

interface Statement {
  caller: Omit<Caller, 'expiresAt'> & { expiresAt?: string };
  requestId: string;
  idempotency?: IdempotencyKey;
}

export interface InternalCalls {
  /** Signs one call: HS256 with INTERNAL_SECRET, audience the subgraph, hash of the body, at most 30 s. */
  sign(subgraph: string, body: string, context: RequestContext): Promise<string>;
  /** The context of a signed call; refuses with `unauthenticated` whatever is not exactly that. */
  verify(subgraph: string, body: Buffer, statement: string | undefined): Promise<RequestContext>;
}

/** `secret`: INTERNAL_SECRET, base64 of 32 bytes or more. */
export function internalCalls(secret: string): InternalCalls {
  const key = Buffer.from(secret, 'base64');
  if (key.length < 32) throw new Error('INTERNAL_SECRET is shorter than 32 bytes (base64)');
  return {
    sign(subgraph, body, context) {
      const { caller, requestId, idempotency } = context;
      const statement: Statement = {
        caller: { ...caller, expiresAt: caller.expiresAt?.toISOString() },
        requestId,
        ...(idempotency ? { idempotency } : {}),
      };
      return new SignJWT({ ...statement, bodyHash: hashOf(body) })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(issuer)
        .setAudience(subgraph)
        .setIssuedAt()
        .setExpirationTime(`${lifetimeSeconds}s`)
        .sign(key);
    },
    async verify(subgraph, body, statement) {
      if (!statement) throw new DomainError('unauthenticated', 'a subgraph answers the gateway only');
      const verified = await jwtVerify(statement, key, {
        algorithms: ['HS256'],
        issuer,
        audience: subgraph,
        maxTokenAge: lifetimeSeconds * 2,
        requiredClaims: ['exp', 'iat', 'aud', 'bodyHash', 'caller'],
      }).catch((error: Error) => {
        throw new DomainError('unauthenticated', `the signed caller was refused: ${error.message}`);
      });
      const { caller, requestId, idempotency, bodyHash } = verified.payload as unknown as Statement & {
        bodyHash: string;
      };
      if (bodyHash !== hashOf(body))
        throw new DomainError('unauthenticated', 'the signed caller belongs to another body');
      const { expiresAt, ...rest } = caller;
      return requestContext(
        { ...rest, ...(expiresAt ? { expiresAt: new Date(expiresAt) } : {}) },
        requestId,
        idempotency,
      );
    },
  };
}

function hashOf(body: string | Buffer): string {
  return createHash('sha256').update(body).digest('base64url');
}
