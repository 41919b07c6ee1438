// `pay doctor`: proves each part of a running installation from the outside, in the order in which a caller would need them.
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { requestToken, type TenantClient } from './access-token';
import { type Call, callAny, callGraph, callJson, callStatus } from './call';
import { type Credentials, readCredentials, type Tenant } from './credentials';
import { CommandFailure, exitCodes } from './failure';
import { currentKey } from './jwe';
import { converse } from './live';
import { type CommandLine, columns } from './terminal';

interface CheckResult {
  check: string;
  isGood: boolean;
  /** What was found, or why it failed; never a secret. */
  finding: string;
}

const acknowledgedWithinMs = 15_000;

/** Runs every check, prints them all, and fails when one of them did. */
export async function examine(credentialsPath: string, terminal: CommandLine): Promise<void> {
  const results: CheckResult[] = [];
  const attempt = async (check: string, find: () => string | Promise<string>) => {
    const result = await Promise.resolve()
      .then(find)
      .then(
        (finding) => ({ check, isGood: true, finding }),
        (error: Error) => ({ check, isGood: false, finding: error.message }),
      );
    results.push(result);
    return result.isGood;
  };
  if (await attempt('credentials file', () => readableOnlyByOwner(credentialsPath))) {
    const credentials = readCredentials(credentialsPath);
    for (const [check, find] of checksOf(credentials)) await attempt(check, find);
  }
  const cause = results.every((result) => result.isGood) ? null : causeOf(results);
  if (cause && !terminal.isJson) terminal.print(terminal.bad(`Cause: ${cause}`), null);
  const rows = results.map(({ check, isGood, finding }) => [isGood ? 'ok' : 'FAILED', check, finding]);
  terminal.print(
    columns(rows)
      .split('\n')
      .map((row) => (row.startsWith('ok') ? terminal.good(row) : terminal.bad(row)))
      .join('\n'),
    { isHealthy: cause === null, cause: cause ?? undefined, checks: results },
  );
  const failed = results.filter((result) => !result.isGood);
  if (failed.length > 0) {
    throw new CommandFailure(
      exitCodes.failed,
      `${failed.length} of ${results.length} checks failed; first of all: ${cause}`,
    );
  }
}

const aliveCheck = 'REST is alive';
const readinessCheck = 'REST is ready';

/** What to look at first: nothing runs, something that all of it needs is away, else the first check that failed. */
function causeOf(results: readonly CheckResult[]): string {
  const failed = (name: string) => results.find(({ check, isGood }) => check === name && !isGood);
  const silent = failed(aliveCheck);
  if (silent) return `${silent.finding} Is the installation running (npm start)? The checks below need it.`;
  const unready = failed(readinessCheck);
  if (unready) return `${unready.finding}. What fails below with 503 or without an answer fails with it.`;
  const [first] = results.filter(({ isGood }) => !isGood);
  return `${first?.check}: ${first?.finding}`;
}

/** Readiness says itself what it waits for. */
async function expectReady(url: string): Promise<string> {
  const { status, body } = await callAny(url);
  if (status === 200) return url;
  const { dependencies } = (body ?? {}) as { dependencies?: Record<string, string> };
  const down = Object.entries(dependencies ?? {}).flatMap(([name, state]) =>
    state === 'down' ? [labels[name] ?? name] : [],
  );
  const reason =
    down.length > 0 ? `${down.join(' and ')} cannot be reached by the installation` : `${url} answered ${status}`;
  throw new CommandFailure(exitCodes.unreachable, reason);
}

const labels: Readonly<Record<string, string>> = { mongodb: 'MongoDB', redis: 'Redis' };

type Check = [string, () => Promise<string>];

const pageNames = { pay: 'payment pages', shop: 'demo shop', acs: 'simulated issuer' } as const;

function checksOf(credentials: Credentials): Check[] {
  const { urls } = credentials;
  const tenants = Object.entries(credentials.tenants);
  return [
    [aliveCheck, () => expectStatus(`${urls.rest}/healthz`)],
    [readinessCheck, () => expectReady(`${urls.rest}/readyz`)],
    ['encryption key', async () => `kid ${(await currentKey(`${urls.rest}/.well-known/jwks.json`)).kid}`],
    ...tenants.flatMap(([tenant, held]) => tenantChecks(credentials, tenant, held)),
    ...(['pay', 'shop', 'acs'] as const).flatMap((name): Check[] => {
      const url = urls[name];
      return url ? [[pageNames[name], () => expectStatus(`${url}/readyz`)]] : [];
    }),
    ['graph over HTTP', () => askGraph(credentials)],
    ['graph over WebSocket', () => openSocket(credentials)],
    ...(urls.metrics ? [['metrics', () => expectStatus(urls.metrics ?? '')] as Check] : []),
  ];
}

/** A token of each of its clients, what its terminals can be paid with, and a call with each of its other keys that changes nothing. */
function tenantChecks(credentials: Credentials, tenant: string, held: Tenant): Check[] {
  const { payments, checkout, admin, partner, reporting } = held;
  const tokenOf = (client: TenantClient): Check => [
    `${client} access token of ${tenant}`,
    async () => `valid for ${(await requestToken(credentials, { tenant, client })).expiresInSeconds} s`,
  ];
  return [
    tokenOf('tokenization'),
    ...(payments ? [tokenOf('payments')] : []),
    ...(['implicit', 'explicit'] as const).flatMap((terminal): Check[] =>
      checkout
        ? [[`API key of ${tenant}, ${terminal} terminal`, () => methodsOf(credentials, checkout[terminal].apiKey)]]
        : [],
    ),
    ...(admin ? [[`consumer key of ${tenant}`, () => administer(credentials, admin)] as Check] : []),
    ...(partner
      ? [[`partner key of ${tenant}`, () => findApplication(credentials, partner.secretApiKey)] as Check]
      : []),
    ...(['merchantApiKey', 'partnerApiKey'] as const).flatMap((name): Check[] =>
      reporting
        ? [[`${reportingNames[name]} of ${tenant}`, () => report(credentials, held.merchantNumber, reporting[name])]]
        : [],
    ),
  ];
}

const reportingNames = { merchantApiKey: 'merchant reporting key', partnerApiKey: 'partner reporting key' } as const;

/** A change of a merchant that there is not, without content: refused for that, once the key is known. */
function administer({ urls }: Credentials, admin: { consumerKey: string; consumerSecret: string }): Promise<string> {
  const pair = Buffer.from(`${admin.consumerKey}:${admin.consumerSecret}`).toString('base64');
  const headers = { authorization: `Bearer ${pair}`, 'content-type': 'application/json' };
  const url = `${urls.rest}/ms/naa/admin/customer/v1/merchant/no-merchant`;
  return expectStatus(url, [400, 404], { method: 'PUT', headers, body: '{}' });
}

/** Applications count from 1. */
function findApplication({ urls }: Credentials, authorization: string): Promise<string> {
  return expectStatus(`${urls.rest}/partner/v1/onboarding/0`, [404], { headers: { authorization } });
}

function report({ urls }: Credentials, merchantNumber: number, authorization: string): Promise<string> {
  const query = `fromDate=2000-01-01&toDate=2000-01-01&merchantNumber=${merchantNumber}`;
  return expectStatus(`${urls.rest}/report/v1/payouts?${query}`, [200], { headers: { authorization } });
}

async function methodsOf({ urls }: Credentials, apiKey: string): Promise<string> {
  const headers = { 'x-api-key': apiKey, 'correlation-id': randomUUID() };
  const answer = await callJson(`${urls.rest}/api/v1/payment_methods`, { headers });
  const { paymentMethods = [] } = answer as { paymentMethods?: { paymentService?: unknown }[] };
  return `takes ${paymentMethods.map(({ paymentService }) => paymentService).join(', ')}`;
}

function readableOnlyByOwner(path: string): string {
  readCredentials(path);
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) === 0) return path;
  throw new CommandFailure(exitCodes.input, `${path} has mode ${mode.toString(8)}: others can read it, run chmod 600`);
}

async function expectStatus(url: string, expected: readonly number[] = [200], call: Call = {}): Promise<string> {
  const status = await callStatus(url, call);
  if (expected.includes(status)) return url.replace(/\?.*/, '');
  throw new CommandFailure(exitCodes.unreachable, `${url} answered ${status}`);
}

async function askGraph(credentials: Credentials): Promise<string> {
  const { accessToken } = await requestToken(credentials, { graph: 'viewer' });
  await callGraph(credentials.urls.graph, accessToken, { query: '{ __typename }', variables: {} });
  return credentials.urls.graph;
}

async function openSocket(credentials: Credentials): Promise<string> {
  const { accessToken } = await requestToken(credentials, { graph: 'viewer' });
  const [tenant] = Object.values(credentials.tenants);
  await new Promise<void>((resolve, reject) => {
    const late = () =>
      reject(new CommandFailure(exitCodes.unreachable, `no acknowledgement within ${acknowledgedWithinMs / 1000} s`));
    const timer = setTimeout(late, acknowledgedWithinMs);
    const settle = (done: () => void) => {
      clearTimeout(timer);
      done();
    };
    converse({
      url: credentials.urls.subscriptions,
      accessToken,
      query: 'subscription Doctor($merchantId: ID!) { tokenEvents(merchantId: $merchantId) { eventId } }',
      variables: { merchantId: tenant?.merchantId },
      onConnected: () => settle(resolve),
      onItem: (_data, stop) => stop(),
    }).then((ending) =>
      settle(() =>
        reject(new CommandFailure(exitCodes.unreachable, ending.how === 'stopped' ? 'stopped' : ending.reason)),
      ),
    );
  });
  return credentials.urls.subscriptions;
}
