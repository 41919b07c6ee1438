// Access tokens for the command line: client credentials of the sandbox file, exchanged at the authorization server (tokenization interface, Authentication).
import { callJson } from './call';
import type { Credentials } from './credentials';
import { tenantOf } from './credentials';
import { CommandFailure, exitCodes } from './failure';

export const tenantClients = ['tokenization', 'payments'] as const;
export type TenantClient = (typeof tenantClients)[number];

/** Whose token: one of a tenant's clients (tokenization unless said), or one of the graph clients. */
export type TokenOwner = { tenant: string; client?: TenantClient } | { graph: 'admin' | 'operator' | 'viewer' };

export interface IssuedToken {
  accessToken: string;
  expiresInSeconds: number;
}

/** Exchanges the owner's client id and secret; `scope` narrows what the token may do. */
export async function requestToken(credentials: Credentials, owner: TokenOwner, scope?: string): Promise<IssuedToken> {
  return requestTokenOf(credentials.urls.auth, clientOf(credentials, owner), scope);
}

/** The same for any client at any authorization server. */
export async function requestTokenOf(
  authUrl: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  scope?: string,
): Promise<IssuedToken> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope) form.set('scope', scope);
  const answer = (await callJson(`${authUrl}/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: form.toString(),
  })) as { access_token?: unknown; expires_in?: unknown };
  if (typeof answer.access_token !== 'string' || typeof answer.expires_in !== 'number') {
    throw new CommandFailure(exitCodes.unreachable, 'The authorization server answered without an access token.');
  }
  return { accessToken: answer.access_token, expiresInSeconds: answer.expires_in };
}

/** Refuses what a credentials file of an older release does not have. */
export function staffOf(graph: Credentials['graph'], name: 'admin' | 'operator' | 'viewer') {
  const found = graph[name];
  if (found) return found;
  throw new CommandFailure(exitCodes.input, `The credentials file has no graph.${name}.`);
}

function clientOf(credentials: Credentials, owner: TokenOwner): { clientId: string; clientSecret: string } {
  if ('graph' in owner) return staffOf(credentials.graph, owner.graph);
  const { tenant, client = 'tokenization' } = owner;
  const found = tenantOf(credentials, tenant)[client];
  if (found) return found;
  throw new CommandFailure(exitCodes.input, `The credentials file has no ${client} client of ${tenant}.`);
}
