// The audit of the working group's own package (graphql-http) against /graphql: cold and warm, as staff and as a viewer; every exception has its reason here.
import { serverAudits } from 'graphql-http';
import type { FixtureServer } from './fixture-server';
import { startClientServer } from './graph-client';

/** The audit asks for a type of the schema, which is for staff of the sandbox alone (docs/decisions.md, 2.4-E): a viewer is refused with 403. */
const introspects = ['BF61', '2EA1', '28B9', 'D6D5', '6A70'];

const exceptions: Record<string, readonly string[]> = { staff: [], viewer: introspects };

let server: FixtureServer;
beforeAll(async () => {
  server = await startClientServer();
});
afterAll(() => server.stop());

const auditsAs = (token: string) =>
  serverAudits({
    url: () => server.url,
    fetchFn: (url: string, init: RequestInit = {}) =>
      fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } }),
  });

describe.each(['staff', 'viewer'])('as %s', (token) => {
  test.each(['cold', 'warm'])('the audit passes whole, %s', async () => {
    const results = [];
    for (const audit of auditsAs(token)) results.push(await audit.fn());
    expect(results.length).toBeGreaterThan(50);
    const failed = results.filter(({ status }) => status !== 'ok').map(({ id, name }) => `${id} ${name}`);
    const expected = results.filter(({ id }) => exceptions[token]?.includes(id)).map(({ id, name }) => `${id} ${name}`);
    expect(failed).toEqual(expected);
  });
});
