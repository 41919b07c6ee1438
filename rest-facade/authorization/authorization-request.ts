// What a client sends to the authorization server, read strictly: a form body and HTTP Basic credentials (RFC 6749 sections 2.3.1 and 3.2).
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../subgraphs/shared/errors';
import { readBody } from '../../subgraphs/shared/http/request-body';

const formBytesMax = 16 * 1024;

export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

const bodyCredentials = ['client_id', 'client_secret', 'client_assertion', 'client_assertion_type'];

/**
 * The parameters of a form body. A parameter without a value counts as absent.
 * Refuses with `payloadTooLarge`, or `invalidInput` for another media type, a repeated parameter, or credentials in the body.
 */
export async function readAuthorizationForm(request: IncomingMessage): Promise<Map<string, string>> {
  const mediaType = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/x-www-form-urlencoded') {
    throw new DomainError('invalidInput', 'the media type is not application/x-www-form-urlencoded');
  }
  const body = await readBody(request, { bytesMax: formBytesMax, discardsExcess: true });
  const form = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of new URLSearchParams(body.toString('utf8'))) {
    if (seen.has(name)) throw new DomainError('invalidInput', 'a parameter is repeated');
    seen.add(name);
    if (value !== '') form.set(name, value);
  }
  if (bodyCredentials.some((name) => form.has(name))) {
    throw new DomainError('invalidInput', 'client credentials belong into the Authorization header, not into the body');
  }
  return form;
}

/** Id and secret from an Authorization header, each percent-decoded as a form value; null when there is none that can be read. */
export function readBasic(authorization: string | undefined): ClientCredentials | null {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '')?.[1];
  if (!encoded) return null;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon < 1) return null;
  const clientId = formDecode(pair.slice(0, colon));
  const clientSecret = formDecode(pair.slice(colon + 1));
  return clientId === null || clientSecret === null ? null : { clientId, clientSecret };
}

function formDecode(value: string): string | null {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** The scope-tokens of a scope parameter (RFC 6749 section 3.3), each once; null when the value is malformed. */
export function parseScope(scope: string): string[] | null {
  const tokens = scope.split(' ');
  return tokens.every((token) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(token)) ? [...new Set(tokens)] : null;
}
