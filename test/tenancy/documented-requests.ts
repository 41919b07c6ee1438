// Every documented route of REST with a request that would be served, were the credential good: read from the OpenAPI files, so that a new route is tried without anybody thinking of it.
import { randomUUID } from 'node:crypto';
import { type ApiFamily, apiFamilies, type OperationObject, readApiFile } from '../../rest-facade/checks/openapi';
import { newId } from '../../subgraphs/shared/ids';
import { merchantBody } from '../support/administration';
import { buildBody, hostedBody, paymentBody } from '../support/checkout';
import { type Answer, rest } from '../support/client';
import { contractRoot } from '../support/contract';
import { accountExpiry } from '../support/expiry';
import { smallApplication } from '../support/onboarding';
import { freshCardNumber, partnerOf, sandboxCall } from '../support/partner';
import type { AlphaIds } from '../support/two-tenants';
import type { World } from '../support/world';

/** All but the levers of the sandbox: their one key is the installation's own and can neither expire nor be revoked. */
export type Family = Exclude<ApiFamily, 'sandbox'>;

export interface DocumentedRoute {
  family: Family;
  method: string;
  path: string;
  operationId: string;
  hasBody: boolean;
  /** The file says that it takes no credential. */
  isOpen: boolean;
}

export const documentedRoutes: readonly DocumentedRoute[] = apiFamilies
  .filter((family): family is Family => family !== 'sandbox')
  .flatMap((family) =>
    Object.entries(readApiFile(contractRoot, family).document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        family,
        method: method.toUpperCase(),
        path,
        operationId: operation.operationId,
        hasBody: operation.requestBody !== undefined,
        isOpen: (operation as OperationObject & { security?: unknown[] }).security?.length === 0,
      })),
    ),
  );

/** What the requests are about, by the names that the paths have for it. */
export type Target = Pick<
  AlphaIds,
  'virtualAccountId' | 'paymentId' | 'operationId' | 'orderId' | 'sessionId' | 'merchantId' | 'id' | 'payoutId'
>;

/** What nobody has. */
export const absent = (): Target => ({
  virtualAccountId: newId(),
  paymentId: randomUUID(),
  operationId: randomUUID(),
  sessionId: randomUUID(),
  orderId: 'nobody',
  merchantId: `m-${newId().slice(0, 13)}`,
  id: '999999999',
  payoutId: newId(),
});

export interface DocumentedRequest {
  method: string;
  path: string;
  /** All but the credential. */
  headers: Record<string, string>;
  body: unknown;
}

type Body = (target: Target, tenant: Tenant) => unknown;
type Tenant = Awaited<ReturnType<typeof tenantOf>>;

const payment: Body = () => paymentBody();
const order: Body = (_, { shopUrl }) => buildBody(shopUrl);
const ofSession: Body = ({ sessionId }) => ({ sessionId });

/** What a route wants to be told by its body, by the name of its operation; one that is not named here is told nothing: `{}`. */
const bodies: Readonly<Record<string, Body>> = {
  createToken: async (_, { merchantInfo, seal }) => ({
    merchantInfo,
    accountInfo: { encryptedData: await seal({ account: freshCardNumber(), accountExpiry }) },
  }),
  createTransaction: (_, { merchantInfo, now }) => ({
    merchantInfo,
    transactionInfo: { transactionId: newId(), transactionDateTime: now, amount: '000000001999', currencyCode: '978' },
  }),
  updateTokenState: () => ({ tokenState: 'DELETE', reasonCode: '1023' }),
  createPayment: payment,
  createPaymentAtSlash: payment,
  buildOrder: order,
  buildOrderOlder: order,
  createHostedOrder: () => hostedBody(),
  finalizePayment: ofSession,
  finalizePaymentOlder: ofSession,
  cancelSession: ofSession,
  createMerchant: () => merchantBody(),
  modifyMerchant: ({ merchantId }) => merchantBody({ merchantId, name: 'Renamed' }),
  createOnboarding: () => ({ application: smallApplication(), adminUser: { email: 'admin@shop.example' } }),
  updateOnboarding: () => ({ application: smallApplication() }),
};

/** What the bodies and headers say about the tenant alpha. */
async function tenantOf(world: World) {
  const { credentials, seal } = await partnerOf(world, 'alpha');
  const { acquirerId, providerId, pspId, merchantId } = credentials;
  const { now } = (await sandboxCall(world, 'GET', '/sandbox/clock')).body as { now: string };
  return {
    seal,
    merchantInfo: { merchantId },
    identity: { 'X-Acquirer-ID': acquirerId, 'X-Provider-ID': providerId, 'X-PSP-ID': pspId },
    shopUrl: world.urls.shop,
    now: now.replace(/\D/g, '').slice(0, 14),
    day: now.slice(0, 10),
  };
}

/** Makes requests of alpha's about a target, one for each of the routes. */
export async function requestsOf(
  world: World,
  target: Target,
  routes = documentedRoutes,
): Promise<Map<DocumentedRoute, DocumentedRequest>> {
  const tenant = await tenantOf(world);
  const { sessionId } = target;
  const query = new URLSearchParams({ sessionId, userId: 'a test', fromDate: tenant.day, toDate: tenant.day });
  const made = routes.map(async (route): Promise<[DocumentedRoute, DocumentedRequest]> => {
    const { family, method, path, operationId, hasBody } = route;
    const names: Record<string, string> = family === 'reporting' ? { ...target, id: target.payoutId } : { ...target };
    const concrete = path.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? newId());
    const headers = {
      ...tenant.identity,
      'X-Request-ID': newId(),
      'Correlation-Id': randomUUID(),
      'Idempotency-Key': randomUUID(),
    };
    const body = hasBody ? await (bodies[operationId] ?? (() => ({})))(target, tenant) : undefined;
    return [route, { method, path: `${concrete}?${query}`, headers, body }];
  });
  return new Map(await Promise.all(made));
}

/** Sends a request with the headers of a credential. */
export function askWith(
  world: World,
  { method, path, headers, body }: DocumentedRequest,
  credential: Readonly<Record<string, string>>,
): Promise<Answer> {
  return rest(world.urls.rest).call(method, path, { headers: { ...headers, ...credential }, body });
}
