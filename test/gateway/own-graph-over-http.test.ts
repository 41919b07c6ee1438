// The audit of the working group's own package (graphql-http) against the running program's graph: cold and warm, as the sandbox's administrator and as its viewer.
import { serverAudits } from 'graphql-http';
import { accessTokenOf } from '../support/partner';
import { sharedWorld, type World } from '../support/world';

/**
 * These ask for a type of the schema, which is for staff of the sandbox who may read it (docs/decisions.md, 2.4-E):
 * a viewer is refused with 403.
 */
const introspects = ['BF61', '2EA1', '28B9', 'D6D5', '6A70'];
const exceptions = { admin: [], viewer: introspects } as const;
const levels = ['MUST', 'SHOULD', 'MAY'] as const;

let world: World;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  world = await sharedWorld();
  for (const name of ['admin', 'viewer'] as const)
    tokens[name] = await accessTokenOf(world, world.credentials.graph[name]);
});
afterAll(() => world.stop());

const auditsAs = (name: string) =>
  serverAudits({
    url: () => world.urls.graph,
    fetchFn: (url: string, init: RequestInit = {}) =>
      fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${tokens[name]}` } }),
  });

describe.each(['admin', 'viewer'] as const)('as %s', (caller) => {
  test.each(['cold', 'warm'])('the audit of the own graph passes whole, %s', async () => {
    const audits = auditsAs(caller);
    for (const level of levels)
      expect([level, audits.some(({ name }) => name.startsWith(level))]).toEqual([level, true]);
    const results = [];
    for (const audit of audits) results.push(await audit.fn());
    expect(results.length).toBeGreaterThan(50);
    const isExcepted = ({ id }: { id: string }) => (exceptions[caller] as readonly string[]).includes(id);
    const failed = results.flatMap((result) =>
      result.status === 'ok' ? [] : [`${result.id} ${result.name}: ${result.response.status}`],
    );
    expect(failed).toEqual(results.filter(isExcepted).map(({ id, name }) => `${id} ${name}: 403`));
  });
});
