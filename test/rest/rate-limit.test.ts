// The rate limits at a tenth of the production figures (decision register 2.1-A, 2.2-B, 2.3-A): per second and at once per credential, over all calls of a
// family together. A tenth, because a starved machine must still be faster than what it tests.
import { newId } from '../../subgraphs/shared/ids';
import { administrationOf } from '../support/administration';
import { paymentServiceOf, shopOf } from '../support/checkout';
import { type Answer, send } from '../support/client';
import { type Partner, partnerOf } from '../support/partner';
import { eventually } from '../support/stores';
import { startWorld, type World } from '../support/world';

const factor = 0.1;

/** On a starved machine Redis itself may be late; the calls that passed for that reason are counted, and only those may be more. */
async function atMost({ urls }: World, passed: number, allowed: number): Promise<void> {
  // A process that is busy is told as it was a moment before.
  await eventually(async () => {
    const { text } = await send(urls.metrics, { method: 'GET', path: '/metrics' });
    const skipped = Number(/^rate_limit_skipped_total (\d+)/m.exec(text)?.[1] ?? 0);
    return passed <= allowed + skipped;
  });
}

describe('rate limit', () => {
  let world: World;
  let alpha: Partner;
  let beta: Partner;

  beforeAll(async () => {
    world = await startWorld({ env: { PROCESSES: '2', RATE_LIMIT_FACTOR: String(factor) } });
    [alpha, beta] = await Promise.all([partnerOf(world, 'alpha'), partnerOf(world, 'beta')]);
  });
  afterAll(() => world?.stop());

  it('stops a client at its burst, on every route and under every header, and nobody else', async () => {
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_unused, index) =>
        alpha.call('GET', `/virtual-accounts/${newId()}`, undefined, {
          'X-Request-ID': newId(),
          'X-Forwarded-For': `10.0.0.${index % 250}`,
        }),
      ),
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    const passed = answers.filter(({ status }) => status === 404).length;
    const stopped = answers.filter(({ status }) => status === 429);
    expect(passed + stopped.length).toBe(100);
    expect(passed).toBeGreaterThanOrEqual(10);
    await atMost(world, passed, 11 + Math.ceil(seconds * 5));
    for (const { headers } of stopped) {
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(headers['ratelimit-limit']).toBe('10');
      expect(headers['ratelimit-remaining']).toBe('0');
    }
    const [write, other] = await Promise.all([
      alpha.call('PUT', `/virtual-accounts/${newId()}/tokenState`, { tokenState: 'DELETE', reasonCode: '1023' }),
      beta.read(newId()),
    ]);
    expect([429, 404]).toContain(write.status);
    expect(other.status).toBe(404);
  });

  it('lets a client in again once Retry-After has passed', async () => {
    const refused = await eventually(
      async () => {
        const answers = await Promise.all(Array.from({ length: 20 }, () => alpha.read(newId())));
        return answers.find(({ status }) => status === 429) ?? null;
      },
      { everyMs: 0 },
    );
    const due = performance.now() + Number(refused.headers['retry-after']) * 1_000;
    await eventually(() => performance.now() >= due);
    expect((await alpha.read(newId())).status).toBe(404);
  });

  const get = (path: string, headers: Record<string, string>) =>
    send(world.urls.rest, { method: 'GET', path, options: { headers } });
  const families: { name: string; perSecond: number; burst: number; open(): Promise<() => Promise<Answer>> }[] = [
    {
      name: 'payments',
      perSecond: 50,
      burst: 100,
      open: async () => {
        const { headers } = await paymentServiceOf(world, 'alpha');
        return () => get(`/api/v1/payments/${newId()}`, headers());
      },
    },
    {
      name: 'checkout',
      perSecond: 100,
      burst: 200,
      open: async () => {
        const { headers } = shopOf(world, 'alpha');
        return () => get(`/api/v1/build/state?sessionId=${newId()}`, headers());
      },
    },
    {
      name: 'administration',
      perSecond: 10,
      burst: 20,
      open: async () => {
        const { remove } = administrationOf(world, 'alpha');
        return () => remove(newId().slice(0, 13));
      },
    },
    {
      name: 'partner',
      perSecond: 5,
      burst: 10,
      open: async () => {
        const { partner } = world.credentials.tenants.alpha;
        return () => get('/partner/v1/onboarding/0', { Authorization: partner.secretApiKey });
      },
    },
    {
      name: 'reporting',
      perSecond: 10,
      burst: 20,
      open: async () => {
        const { reporting } = world.credentials.tenants.alpha;
        return () => get(`/report/v1/payouts/${newId()}`, { Authorization: reporting.merchantApiKey });
      },
    },
  ];
  const isDocumentThree = ({ body }: Answer) => body.code === '1006' && body.source === 'validation';
  const words: Record<string, (answer: Answer) => unknown> = {
    payments: ({ body }) => body.type === '/problems/rate-limited' && body.status === 429,
    checkout: ({ body }) => body.errors[0].code === 'GW0429' && !('timestamp' in body),
    administration: isDocumentThree,
    partner: isDocumentThree,
    reporting: isDocumentThree,
  };

  it.each(families)('stops $name at its burst, in its own words, and lets it in again', async (family) => {
    const { name } = family;
    const [perSecond, burst] = [family.perSecond * factor, Math.max(1, family.burst * factor)];
    const call = await family.open();
    const answers: Answer[] = [];
    const startedAt = performance.now();
    const stopped = await eventually(
      async () => {
        answers.push(...(await Promise.all(Array.from({ length: burst * 2 }, call))));
        const over = answers.filter(({ status }) => status === 429);
        return over.length > 0 ? over : null;
      },
      { everyMs: 0 },
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    const passed = answers.filter(({ status }) => status === 404).length;
    expect(passed + stopped.length).toBe(answers.length);
    expect(passed).toBeGreaterThanOrEqual(burst);
    await atMost(world, passed, burst + 1 + Math.ceil(seconds * perSecond));
    expect(stopped.filter((answer) => !words[name]?.(answer))).toEqual([]);
    expect(stopped.filter(({ headers }) => !(Number(headers['retry-after']) >= 1))).toEqual([]);
    await eventually(async () => (await call()).status === 404);
  });
});
