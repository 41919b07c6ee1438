// The REST server on a real socket with everything behind it faked: a graph that records what it is asked, callers by access token, a limiter to steer.
import type { AddressInfo } from 'node:net';
import type { ExecutionResult } from 'graphql';
import { createRestServer, type RestDeps } from '../../rest-facade/server';
import type { Caller, Scope } from '../../subgraphs/shared/callers/caller';
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import { DomainError, type DomainErrorCode } from '../../subgraphs/shared/errors';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import { createLog } from '../../subgraphs/shared/log/log';
import { type Answer, rest } from '../support/client';
import { contractRoot } from '../support/contract';

interface Asked {
  operation: string;
  variables: Record<string, unknown>;
  context: RequestContext;
}

export type FakeGraph = (asked: Asked) => ExecutionResult | Promise<ExecutionResult>;

export const triple = { acquirerId: 'ACQ-1', providerId: 'PRV-1', pspId: 'PSP-1' };
export const requestId = '3f1c2a44-7f6e-4f0a-9b1d-0a2b3c4d5e6f';
export const virtualAccountId = '0b9f0c86-5a2e-4d6c-8f53-6d3f4be0a111';
export const sandboxKey = 'sandbox-key-of-the-test';

export const goodHeaders: Readonly<Record<string, string>> = {
  Authorization: 'Bearer good',
  'X-Acquirer-ID': triple.acquirerId,
  'X-Provider-ID': triple.providerId,
  'X-PSP-ID': triple.pspId,
  'X-Request-ID': requestId,
};

/** Five canonical segments; nothing opens it. */
export const jwe = ['eyJhbGciOiJSU0EifQ', 'AAAA', 'BBBBBBBBBBBBBBBB', 'CCCC', 'DDDDDDDDDDDDDDDDDDDDDA'].join('.');

export const goodBodies = {
  token: { merchantInfo: { merchantId: 'shop-1' }, accountInfo: { encryptedData: jwe } },
  transaction: {
    merchantInfo: { merchantId: 'shop-1' },
    transactionInfo: {
      transactionId: 'T-1',
      transactionDateTime: '20261121090000',
      amount: '000000001999',
      currencyCode: '978',
    },
  },
  tokenState: { tokenState: 'DELETE', reasonCode: '1023' },
};

const answers: Record<string, Record<string, unknown>> = {
  CreateVirtualAccount: {
    createVirtualAccount: { virtualAccount: { virtualAccountId, state: 'ACTIVE', par: null }, encryptedData: jwe },
  },
  CreateTransaction: { createTransaction: { encryptedData: jwe } },
  DeleteVirtualAccount: { updateTokenState: { virtualAccountId } },
  GetVirtualAccount: { virtualAccount: { virtualAccountId, state: 'SUSPENDED', par: 'Q1Z28RKA1EBL470G9XYG90R5D3E00' } },
  GetDecryptionKeys: {
    decryptionKeys: [
      { kid: 'old', kty: 'RSA', n: 'AQAB', e: 'AQAB', use: 'enc', alg: 'RSA-OAEP-256', current: false },
      { kid: 'new', kty: 'RSA', n: 'AQAB', e: 'AQAB', use: 'enc', alg: 'RSA-OAEP-256', current: true },
    ],
  },
  ApplyIssuerEvent: { applyIssuerEvent: { virtualAccountId } },
  SetTraAddress: { setTraAddress: true },
  GetTestCards: {
    testCards: [
      {
        number: '4242424242424242',
        brand: 'VISA',
        payment: 'AUTHORIZED',
        tokenization: 'TOKENIZED',
        description: 'Authorized <frictionless>',
      },
    ],
  },
};

export const goodGraph: FakeGraph = ({ operation }) => ({ data: answers[operation] });

/** What the graph says when a service refuses. */
export function refusing(code: DomainErrorCode, message?: string, details = {}): FakeGraph {
  return () => {
    const originalError = new DomainError(code, message, details);
    // The shape of a GraphQLError, as another process of ours would have printed it.
    return {
      errors: [{ message: originalError.message, extensions: { code, ...details } }],
    } as unknown as ExecutionResult;
  };
}

export interface Facade {
  url: string;
  asked: Asked[];
  logged: string[];
  call: ReturnType<typeof rest>['call'];
  /** Calls with good headers, changed by those given; null takes one away. */
  inbound(
    method: string,
    path: string,
    change?: { headers?: Record<string, string | null>; body?: unknown },
  ): Promise<Answer>;
  sandbox(method: string, path: string, body?: unknown): Promise<Answer>;
  server: ReturnType<typeof createRestServer>['server'];
  stop(): Promise<void>;
}

export interface FacadeOptions {
  graph?: FakeGraph;
  deps?: Partial<RestDeps>;
  isSandbox?: boolean;
  requestTimeoutMs?: number;
}

const callerOf = (credentialId: string, scopes: Scope[]): Caller => ({
  kind: 'client',
  credentialId,
  environment: 'sandbox',
  accountId: 'account-1',
  scopes,
  identifiers: [triple],
});

export const callers: Record<string, Caller> = {
  good: callerOf('client-1', ['mts:token', 'mts:transaction', 'mts:lifecycle']),
  noScope: callerOf('client-2', ['graph:read']),
  throttled: callerOf('throttled', ['mts:token', 'mts:transaction', 'mts:lifecycle']),
  throttledNoScope: callerOf('throttled', []),
};

/** What the fake world takes as X-API-KEY, and who that is. */
export const terminalKey = 'terminal-key';
const terminalCaller: Caller = {
  ...callerOf('key-1', ['checkout']),
  kind: 'apiKey',
  merchantId: 'merchant-1',
  terminalId: 'terminal-1',
};

/** Keys of the administration interface that the fake world knows, by what is sent. */
const keyCallers: Record<string, Caller> = {
  'consumer-1:secret-1': { ...callerOf('consumer-1', ['administration']), kind: 'apiKey' },
  'partner-1': { ...callerOf('partner-1', ['onboarding', 'reporting']), kind: 'apiKey' },
  'merchant-key-1': { ...callerOf('merchant-key-1', ['reporting']), kind: 'apiKey', merchantId: 'merchant-1' },
};
export const revokedKey = 'revoked-1:secret-1';

function keyCaller(presented: string): Caller {
  const caller = Object.hasOwn(keyCallers, presented) ? keyCallers[presented] : undefined;
  if (caller) return caller;
  throw new DomainError(presented === revokedKey ? 'keyRevoked' : 'unauthenticated');
}

export async function startFacade({
  graph = goodGraph,
  deps = {},
  isSandbox = true,
  requestTimeoutMs = 5_000,
}: FacadeOptions = {}): Promise<Facade> {
  const asked: Asked[] = [];
  const logged: string[] = [];
  const { server, stop } = createRestServer({
    execute: async (operation, variables, context) => {
      const question = { operation, variables, context };
      asked.push(question);
      return graph(question);
    },
    authenticate: {
      bearer: async (token) => {
        const caller = Object.hasOwn(callers, token) ? callers[token] : undefined;
        if (!caller) throw new DomainError('unauthenticated');
        return caller;
      },
      apiKey: async (key) => {
        if (key !== terminalKey) throw new DomainError('unauthenticated');
        return terminalCaller;
      },
      consumer: async (consumerKey, consumerSecret) => keyCaller(`${consumerKey}:${consumerSecret}`),
      secretKey: async (secretKey) => keyCaller(secretKey),
      sandboxKey: (key) => {
        if (key !== sandboxKey) throw new DomainError('unauthenticated');
        return { ...callerOf('sandbox', ['sandbox:control']), kind: 'sandboxKey', accountId: null };
      },
    },
    limiter: {
      take: async (_name, key, { burst }) =>
        key === 'throttled'
          ? { allowed: false, limit: burst, remaining: 0, retryAfterSeconds: 3, resetSeconds: 4 }
          : { allowed: true, limit: burst, remaining: burst - 1, retryAfterSeconds: 0, resetSeconds: 1 },
    },
    blame: async (_surface, _request, error) => error,
    refusalOf,
    log: createLog('debug', 'test', (line) => void logged.push(line)),
    metrics: { requests: { labels: () => ({ observe: () => undefined }) } },
    config: { environment: isSandbox ? 'sandbox' : 'production', isSandbox, REQUEST_TIMEOUT_MS: requestTimeoutMs },
    readiness: async () => ({ ready: true, dependencies: { mongodb: 'up', redis: 'up' } }),
    drain: (draining) => new Promise((resolve) => draining.close(() => resolve())),
    sandbox: fakeSandbox(),
    root: contractRoot,
    ...deps,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { call } = rest(url);
  return {
    url,
    asked,
    logged,
    call,
    server,
    stop,
    inbound: (method, path, { headers = {}, body } = {}) => {
      const all = Object.entries({ ...goodHeaders, ...headers }).filter(([, value]) => value !== null);
      return call(method, path, { headers: Object.fromEntries(all) as Record<string, string>, body });
    },
    sandbox: (method, path, body) => call(method, path, { headers: { 'X-Sandbox-Key': sandboxKey }, body }),
  };
}

function fakeSandbox(): NonNullable<RestDeps['sandbox']> {
  let now = Date.parse('2026-11-21T09:00:00Z');
  let fault: { status?: number; delayMs?: number } = {};
  const received: Awaited<ReturnType<NonNullable<RestDeps['sandbox']>['receiver']['list']>> = [];
  return {
    clock: {
      now: () => new Date(now),
      advance: async (ms) => {
        now += ms;
        return new Date(now);
      },
    },
    receiver: {
      receive: async (request) => {
        const { status = 204, delayMs = 0 } = fault;
        received.unshift({ ...request, receivedAt: new Date(now), status });
        return { status, delayMs };
      },
      list: async (limit) => received.slice(0, limit),
      orderFault: async (ordered) => {
        fault = ordered;
      },
    },
  };
}
