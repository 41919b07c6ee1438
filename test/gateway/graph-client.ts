// A client of /graphql over HTTP, and the fixture's server with the callers that it can be.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { DomainError } from '../../subgraphs/shared/errors';
import { staff } from './fixture';
import { type FixtureServer, type FixtureServerOptions, startFixtureServer } from './fixture-server';

const viewer: Caller = { ...staff, credentialId: 'viewer', scopes: ['graph:read'] };
const psp: Caller = { ...staff, credentialId: 'psp', accountId: 'a', scopes: ['mts:token'] };
const credentials: Record<string, Caller | Error> = {
  'Bearer staff': staff,
  'Bearer viewer': viewer,
  'Bearer psp': psp,
  'Bearer away': new DomainError('unavailable', 'the store is away', { retryAfterSeconds: 3 }),
};

/** Knows the tokens `staff`, `viewer`, `psp` (not a caller of the graph) and `away`; an operation may take 300 ms. */
export function startClientServer(kept: Pick<FixtureServerOptions, 'log' | 'metrics'> = {}): Promise<FixtureServer> {
  return startFixtureServer({
    ...kept,
    timeoutMs: 300,
    authenticate: async (authorization) => {
      const found = credentials[authorization ?? ''];
      if (!found) throw new DomainError('unauthenticated', 'the access token does not work');
      if (found instanceof Error) throw found;
      return found;
    },
    admit: async () => {},
  });
}

export interface PostOptions {
  variables?: unknown;
  operationName?: string;
  token?: string | null;
  headers?: Record<string, string>;
  body?: string;
}

export type GraphClient = ReturnType<typeof graphClient>;

export function graphClient(url: string) {
  return {
    async post(query: string, { token = 'staff', headers = {}, body, ...rest }: PostOptions = {}) {
      const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorization, ...headers },
        body: body ?? JSON.stringify({ query, ...rest }),
      });
      const text = await response.text();
      const kept = Object.fromEntries(
        [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)),
      );
      return { status: response.status, headers: kept, text, json: text.startsWith('{') ? JSON.parse(text) : null };
    },
    async get(parameters: Record<string, string>, headers: Record<string, string> = {}) {
      const response = await fetch(`${url}?${new URLSearchParams(parameters)}`, {
        headers: { authorization: 'Bearer staff', ...headers },
      });
      return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
    },
  };
}

export const code = (answer: { json: { errors?: { extensions: { code: string } }[] } | null }) =>
  answer.json?.errors?.[0]?.extensions.code;
