// The sandbox control calls: the clock, the issuer's part, the payer's part, an application's part, the address of a token requestor and the built-in callback receiver. None of it exists in production.
import { setTimeout as wait } from 'node:timers/promises';
import { jsonBytesMax } from '../checks/request-body';
import { defineRoute, type Route, type RouteRequest } from '../route-record';
import { sandboxMoneyRoutes } from './sandbox-money';

/** What the sandbox calls need that is not part of the graph. */
export interface SandboxServices {
  clock: { now(): Date; advance(ms: number): Promise<Date> };
  receiver: {
    /** Keeps the request (headers as the text of a JSON object) and tells how to answer it. */
    receive(request: {
      method: string;
      path: string;
      headers: string;
      body: string;
    }): Promise<{ status: number; delayMs: number }>;
    /** Newest first. */
    list(limit: number): Promise<GraphReceivedRequest[]>;
    orderFault(fault: { status?: number; delayMs?: number; times?: number }): Promise<unknown>;
  };
}

interface GraphReceivedRequest {
  receivedAt: Date;
  method: string;
  path: string;
  headers: string;
  body: string;
  status: number;
}

/** Longest callback that the receiver takes, in bytes. */
const receivedBytesMax = 262_144;
const receivedListMax = 500;
/** A move of the clock waits for every process: fifteen seconds, and one last answer of Redis. */
const clockTimeoutMs = 25_000;

const control = {
  family: 'sandbox',
  scheme: 'sandboxKey',
  scopes: [],
  rateLimit: null,
} as const satisfies Partial<Route>;
const withoutBody = { ...control, method: 'GET', bodyKind: 'none', bodyBytesMax: 0 } as const;
const withBody = { ...control, bodyKind: 'json', bodyBytesMax: jsonBytesMax } as const;

/** The routes below /sandbox. */
export function sandboxRoutes({ clock, receiver }: SandboxServices): readonly Route[] {
  return [
    ...clockRoutes(clock),
    ...issuerRoutes,
    ...payerRoutes,
    ...sandboxMoneyRoutes,
    onboardingEvent,
    mailOutbox,
    traAddress,
    ...receiverRoutes(receiver),
  ];
}

function clockRoutes(clock: SandboxServices['clock']): Route[] {
  const print = (now: Date) => ({ status: 200, body: { now: now.toISOString() } });
  return [
    defineRoute<null>({
      ...withoutBody,
      path: '/sandbox/clock',
      action: { serve: async () => print(clock.now()) },
    }),
    defineRoute<{ advanceMs: number }>({
      ...withBody,
      method: 'POST',
      path: '/sandbox/clock',
      timeoutMs: clockTimeoutMs,
      action: { serve: async ({ body }) => print(await clock.advance(body.advanceMs)) },
    }),
  ];
}

const issuerRoutes: Route[] = [
  defineRoute<{ event: string }>({
    ...withBody,
    method: 'POST',
    path: '/sandbox/virtual-accounts/{virtualAccountId}/events',
    action: {
      operation: 'ApplyIssuerEvent',
      variables: ({ params, body }) => ({ virtualAccountId: params['virtualAccountId'], event: body.event }),
      reply: () => ({ status: 202 }),
    },
  }),
  defineRoute<null, { testCards: unknown[] }>({
    ...withoutBody,
    path: '/sandbox/cards',
    action: {
      operation: 'GetTestCards',
      variables: () => ({}),
      reply: ({ testCards }) => ({ status: 200, body: testCards }),
    },
  }),
];

interface CardBody {
  number: string;
  expiry: string;
  cvv: string;
  holder?: string | null;
}

const payerRoutes: Route[] = [
  defineRoute<CardBody, { fillCheckoutCard: { state: string } }>({
    ...withBody,
    method: 'POST',
    path: '/sandbox/checkout/{sessionId}/card',
    action: {
      operation: 'FillCheckoutCard',
      variables: ({ params, body }) => ({ sessionId: params['sessionId'], card: cardOf(body) }),
      reply: ({ fillCheckoutCard: { state } }) => ({ status: 200, body: { state } }),
    },
  }),
  defineRoute<{ outcome: string }, { settleChallenge: { state: string } }>({
    ...withBody,
    method: 'POST',
    path: '/sandbox/checkout/{sessionId}/challenge',
    action: {
      operation: 'SettleChallenge',
      variables: ({ params, body }) => ({ sessionId: params['sessionId'], outcome: body.outcome }),
      reply: ({ settleChallenge: { state } }) => ({ status: 200, body: { state } }),
    },
  }),
  defineRoute<CardBody & { challenge?: string | null }, { fillPaymentCard: { state: string } }>({
    ...withBody,
    method: 'POST',
    path: '/sandbox/payments/{paymentId}/card',
    action: {
      operation: 'FillPaymentCard',
      variables: ({ params, body }) => ({
        paymentId: params['paymentId'],
        card: cardOf(body),
        challenge: body.challenge ?? null,
      }),
      reply: ({ fillPaymentCard: { state } }) => ({ status: 200, body: { state } }),
    },
  }),
];

const mailsListedMax = 50;

const mailOutbox = defineRoute<null, { sandboxMails: unknown[] }>({
  ...withoutBody,
  path: '/sandbox/mails',
  action: {
    operation: 'GetSandboxMails',
    variables: () => ({ first: mailsListedMax }),
    reply: ({ sandboxMails }) => ({ status: 200, body: sandboxMails }),
  },
});

const onboardingEvent = defineRoute<{ event: string }, { applyOnboardingEvent: { status: string } }>({
  ...withBody,
  method: 'POST',
  path: '/sandbox/onboarding/{id}/events',
  action: {
    operation: 'ApplyOnboardingEvent',
    variables: ({ params, body }) => ({ id: params['id'], event: body.event }),
    reply: ({ applyOnboardingEvent: { status } }) => ({ status: 200, body: { status } }),
  },
});

/** The members of a card alone: whatever else came stays out. */
function cardOf({ number, expiry, cvv, holder = null }: CardBody) {
  return { number, expiry, cvv, holder };
}

const traAddress = defineRoute<{ tenant: string; notifyBaseUrl: string }>({
  ...withBody,
  method: 'PUT',
  path: '/sandbox/tra',
  action: {
    operation: 'SetTraAddress',
    variables: ({ body }) => ({ accountId: body.tenant, address: body.notifyBaseUrl }),
    reply: () => ({ status: 204 }),
  },
});

function receiverRoutes(receiver: SandboxServices['receiver']): Route[] {
  return [
    defineRoute<null>({
      ...withoutBody,
      path: '/sandbox/receiver/requests',
      action: {
        serve: async () => {
          const newestFirst = await receiver.list(receivedListMax);
          return { status: 200, body: newestFirst.reverse().map(printReceived) };
        },
      },
    }),
    defineRoute<{ status?: number; delayMs?: number; times?: number }>({
      ...withBody,
      method: 'POST',
      path: '/sandbox/receiver/faults',
      action: {
        serve: async ({ body: { status, delayMs, times } }) => {
          await receiver.orderFault({ status, delayMs, times });
          return { status: 204 };
        },
      },
    }),
    defineRoute<null>({
      ...control,
      scheme: 'none',
      bodyKind: 'raw',
      bodyBytesMax: receivedBytesMax,
      method: 'POST',
      path: '/sandbox/receiver/{anything+}',
      timeoutMs: 70_000,
      action: {
        serve: async (request) => {
          const { status, delayMs } = await receiver.receive(receivedOf(request));
          if (delayMs > 0) await wait(delayMs);
          return { status };
        },
      },
    }),
  ];
}

function receivedOf({ method, path, rawHeaders, raw }: RouteRequest<null>) {
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return { method, path, headers: JSON.stringify(headers), body: raw.toString('utf8') };
}

function printReceived({ receivedAt, method, path, headers, body, status }: GraphReceivedRequest) {
  return { receivedAt: receivedAt.toISOString(), method, path, headers: JSON.parse(headers) as unknown, body, status };
}
