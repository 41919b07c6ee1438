// Clients that ask a whole program for the same things all the time, and what each of its addresses answers.
import { Agent, request } from 'node:http';
import { eventually } from '../support/stores';
import type { World } from '../support/world';

/** Somebody answers on every address of the credentials file. */
export async function answersEverywhere({ credentials: { urls } }: World): Promise<void> {
  await eventually(() => ask(`${urls.rest}/readyz`));
  expect(await ask(`${urls.auth}/healthz`)).toBe(200);
  await eventually(() => ask(`${new URL(urls.graph).origin}/readyz`));
  expect(await ask(urls.metrics)).toBe(200);
  expect(await ask(`${urls.pay}/sdk.js`)).toBe(200);
  // Their paths are other tests' matter: here it counts that somebody answers.
  for (const url of [urls.shop, urls.acs]) await ask(`${url}/`, { accepted: [200, 404] });
}

/** Keep-alive clients of the key set, the authorization server and the graph, each asking again as soon as it is answered. */
export function startSteadyLoad({ credentials }: World) {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const { clientId, clientSecret } = credentials.tenants.alpha.tokenization;
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const form = { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' };
  const calls = [
    () => ask(`${credentials.urls.rest}/.well-known/jwks.json`, { agent }),
    () => ask(`${credentials.urls.auth}/token`, { agent, headers: form, body: 'grant_type=client_credentials' }),
    () =>
      ask(credentials.urls.graph, {
        agent,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ __typename }' }),
        // Without a credential the graph refuses; that it answers is what counts here.
        accepted: [200, 401],
      }),
  ];
  const failures: string[] = [];
  let answers = 0;
  let isStopped = false;
  const clients = calls.map(async (call) => {
    while (!isStopped) {
      await call().then(
        () => {
          answers += 1;
        },
        (error: Error) => failures.push(error.message),
      );
    }
  });
  return {
    answers: () => answers,
    async stop() {
      isStopped = true;
      await Promise.all(clients);
      agent.destroy();
      return failures;
    },
  };
}

interface Call {
  agent?: Agent;
  headers?: Record<string, string>;
  body?: string;
  accepted?: number[];
}

/** Resolves with the status when it is an accepted one. */
export function ask(url: string, { agent, headers, body, accepted = [200] }: Call = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' }, (response) => {
      const status = response.statusCode ?? 0;
      response.resume();
      response.on('error', reject);
      response.on('end', () => (accepted.includes(status) ? resolve(status) : reject(new Error(`${url}: ${status}`))));
    });
    sent.on('error', (error) => reject(new Error(`${url}: ${error.message}`)));
    sent.end(body);
  });
}
