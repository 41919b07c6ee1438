// Rate limits: the token bucket is exact, the failure log never allows one more, and the absence of Redis costs neither calls nor time.
import { execFileSync } from 'node:child_process';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Redis } from 'ioredis';
import { createRateLimiter, effectiveRule, type RateLimiterDeps } from '../../subgraphs/shared/callers/rate-limit';
import { newId } from '../../subgraphs/shared/ids';
import { openRedis } from '../../subgraphs/shared/store/redis';
import { eventually, openStores, type Stores } from '../support/stores';

let stores: Stores;
let redis: Redis;

beforeAll(async () => {
  stores = await openStores();
  redis = openRedis(stores.redisUrl, 'requests');
  await eventually(() => redis.status === 'ready');
});

afterAll(async () => {
  redis.disconnect();
  await stores.close();
});

function counters() {
  const counts = { skipped: 0, limited: [] as unknown[] };
  const metrics = {
    rateLimitSkipped: { inc: () => (counts.skipped += 1) },
    rateLimited: { inc: (labels: unknown) => counts.limited.push(labels) },
  };
  return { counts, metrics: metrics as never };
}

/** Counts however slow Redis is: a call that passes because it was not counted in time would be taken for one that is allowed. */
const limiterWithLongDeadline = (more: Partial<RateLimiterDeps> = {}) =>
  createRateLimiter({ redis, factor: 1, answerMsMax: 30_000, ...more });

/** Stands still until Redis has answered another process, and with it all that was sent before. */
function untilRedisAnswers(): void {
  const { port, hostname } = new URL(stores.redisUrl);
  const ping = `const socket = require('node:net').connect(${port}, '${hostname}', () => socket.write('PING\\r\\n'));
    socket.once('data', () => socket.destroy());`;
  execFileSync(process.execPath, ['-e', ping]);
}

/** The whole seconds that are left of so many, whenever Redis was asked since then. */
function expectLeft(told: number, seconds: number, sinceMs: number): void {
  expect(told).toBeLessThanOrEqual(seconds);
  expect(told).toBeGreaterThanOrEqual(Math.ceil(seconds - (performance.now() - sinceMs) / 1_000));
}

describe('the token bucket', () => {
  it.each([
    { rule: { perSecond: 0.01, burst: 10 }, factor: 1, expected: 10 },
    { rule: { perSecond: 0.001, burst: 100 }, factor: 1, expected: 100 },
    { rule: { perSecond: 0.001, burst: 7 }, factor: 3, expected: 21 },
    { rule: { perSecond: 0.001, burst: 1 }, factor: 0.2, expected: 1 },
  ])('lets exactly the burst through at once: $rule × $factor', async ({ rule, factor, expected }) => {
    const limiter = limiterWithLongDeadline({ factor });
    const key = newId();
    const decisions = await Promise.all(Array.from({ length: expected + 25 }, () => limiter.take('t', key, rule)));
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(expected);
    expect(decisions[0]).toMatchObject({
      allowed: true,
      limit: expected,
      remaining: expected - 1,
      retryAfterSeconds: 0,
    });
    expect(decisions.at(-1)).toMatchObject({ allowed: false, limit: expected, remaining: 0 });
  });

  it('refills at its rate, and says truly when the next call is allowed', async () => {
    const limiter = limiterWithLongDeadline();
    const rule = { perSecond: 20, burst: 5 };
    const key = newId();
    const startedAt = performance.now();
    let allowed = 0;
    while (performance.now() - startedAt < 1_000) if ((await limiter.take('t', key, rule)).allowed) allowed += 1;
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(allowed).toBeLessThanOrEqual(5 + Math.floor(20 * seconds));
    // How many more depends on how often this loop ran: a bucket that is full takes nothing.
    expect(allowed).toBeGreaterThan(5);
  });

  it.each([
    { rule: { perSecond: 0.5, burst: 1 }, retryAfterSeconds: 2, resetSeconds: 2 },
    { rule: { perSecond: 0.1, burst: 3 }, retryAfterSeconds: 10, resetSeconds: 30 },
  ])('tells whole seconds: $rule', async ({ rule, retryAfterSeconds, resetSeconds }) => {
    const limiter = limiterWithLongDeadline();
    const key = newId();
    const startedMs = performance.now();
    for (let call = 0; call < rule.burst; call += 1) await limiter.take('t', key, rule);
    const refused = await limiter.take('t', key, rule);
    expect(refused.allowed).toBe(false);
    expectLeft(refused.retryAfterSeconds, retryAfterSeconds, startedMs);
    expectLeft(refused.resetSeconds, resetSeconds, startedMs);
  });

  it('keeps keys and names apart, and counts refusals by name', async () => {
    const { counts, metrics } = counters();
    const limiter = limiterWithLongDeadline({ metrics });
    const rule = { perSecond: 0.01, burst: 1 };
    const key = newId();
    expect((await limiter.take('a', key, rule)).allowed).toBe(true);
    expect((await limiter.take('b', key, rule)).allowed).toBe(true);
    expect((await limiter.take('a', `${key}x`, rule)).allowed).toBe(true);
    expect((await limiter.take('a', key, rule)).allowed).toBe(false);
    expect(counts).toEqual({ skipped: 0, limited: [{ name: 'a' }] });
  });

  it('leaves nothing behind: a full bucket needs no key', async () => {
    const limiter = limiterWithLongDeadline();
    const key = newId();
    await limiter.take('t', key, { perSecond: 0.5, burst: 4 });
    expect(await redis.pttl(`rate:t:${key}`)).toBeGreaterThan(0);
    await eventually(async () => (await redis.exists(`rate:t:${key}`)) === 0);
  });

  it('survives a Redis that forgot its scripts', async () => {
    const { counts, metrics } = counters();
    const limiter = limiterWithLongDeadline({ metrics });
    await redis.script('FLUSH');
    const decisions = await Promise.all([1, 2, 3].map(() => limiter.take('t', newId(), { perSecond: 1, burst: 1 })));
    expect(decisions.every((decision) => decision.allowed)).toBe(true);
    expect(counts.skipped).toBe(0);
  });

  it('goes below empty for what was let through already, and never deeper than one bucket', async () => {
    const limiter = limiterWithLongDeadline();
    const [key, other] = [newId(), newId()];
    const rule = { perSecond: 0.001, burst: 10 };
    await limiter.debit('t', key, rule, 4);
    expect(await limiter.take('t', key, rule)).toMatchObject({ allowed: true, remaining: 5 });
    await limiter.debit('t', key, rule, 7);
    const sinceMs = performance.now();
    const empty = await limiter.take('t', key, rule);
    expect(empty.allowed).toBe(false);
    expectLeft(empty.retryAfterSeconds, 3_000, sinceMs);
    await limiter.debit('t', other, rule, 1_000);
    expectLeft((await limiter.take('t', other, rule)).retryAfterSeconds, 11_000, sinceMs);
  });
});

describe('the failure log', () => {
  const rule = { failuresMax: 3, windowMs: 60_000 };

  it('blocks after the last allowed failure, looking costs nothing, other keys are free', async () => {
    const limiter = limiterWithLongDeadline();
    const key = newId();
    for (let time = 0; time < 20; time += 1)
      expect(await limiter.failures('l', key, rule)).toMatchObject({ blocked: false });
    const startedMs = performance.now();
    for (let time = 0; time < 3; time += 1)
      expect(await limiter.fail('l', key, rule)).toMatchObject({ blocked: false });
    const { blocked, retryAfterSeconds } = await limiter.failures('l', key, rule);
    expect(blocked).toBe(true);
    expectLeft(retryAfterSeconds, 60, startedMs);
    expect(await limiter.fail('l', key, rule)).toMatchObject({ blocked: true });
    expect(await limiter.failures('l', `${key}x`, rule)).toMatchObject({ blocked: false });
  });

  it('opens again when the window has passed since the first of them', async () => {
    const limiter = limiterWithLongDeadline();
    const key = newId();
    const short = { failuresMax: 2, windowMs: 3_000 };
    const startedMs = performance.now();
    await limiter.fail('l', key, short);
    await limiter.fail('l', key, short);
    const { blocked, retryAfterSeconds } = await limiter.failures('l', key, short);
    expect(blocked).toBe(true);
    expectLeft(retryAfterSeconds, 3, startedMs);
    await eventually(async () => !(await limiter.failures('l', key, short)).blocked);
  });

  it('allows as many failures as the factor says', async () => {
    const limiter = limiterWithLongDeadline({ factor: 2 });
    const key = newId();
    const answers = await Promise.all(Array.from({ length: 10 }, () => limiter.fail('l', key, rule)));
    expect(answers.filter((answer) => !answer.blocked)).toHaveLength(6);
  });
});

describe('without Redis', () => {
  it('lets every call through, counts it, and waits for nothing', async () => {
    const { counts, metrics } = counters();
    const absent = openRedis('redis://127.0.0.1:1/0', 'requests');
    const limiter = createRateLimiter({ redis: absent, factor: 1, metrics });
    const startedAt = performance.now();
    for (let call = 0; call < 1_000; call += 1) {
      expect(await limiter.take('t', 'k', { perSecond: 1, burst: 1 })).toEqual({
        allowed: true,
        limit: 1,
        remaining: 1,
        retryAfterSeconds: 0,
        resetSeconds: 0,
      });
    }
    expect((await limiter.failures('l', 'k', { failuresMax: 1, windowMs: 1_000 })).blocked).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(counts.skipped).toBe(1_001);
    absent.disconnect();
  });

  it('waits once, and for a moment only, when Redis takes the call and never answers', async () => {
    let isSilent = true;
    let asked = 0;
    const answer = () => {
      asked += 1;
      return isSilent ? new Promise(() => undefined) : Promise.resolve([1, 4, 0, 0]);
    };
    const { counts, metrics } = counters();
    const limiter = createRateLimiter({ redis: { evalsha: answer, eval: answer } as never, factor: 1, metrics });
    const rule = { perSecond: 1, burst: 5 };
    expect((await limiter.take('t', 'k', rule)).allowed).toBe(true);
    const startedAt = performance.now();
    for (let call = 0; call < 200; call += 1) expect((await limiter.take('t', 'k', rule)).allowed).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect({ asked, skipped: counts.skipped }).toEqual({ asked: 1, skipped: 201 });

    // One call tries again after the moment; the others do not wait for it.
    isSilent = false;
    await eventually(async () => (await limiter.take('t', 'k', rule)).remaining === 4);
    expect(asked).toBe(2);
  });

  it('takes an answer that has arrived, though the process was too busy to read it in time', async () => {
    const rule = { perSecond: 0.001, burst: 1 };
    const key = newId();
    await limiterWithLongDeadline().take('t', key, rule);
    let asked = 0;
    const counting = {
      evalsha: (...call: Parameters<Redis['evalsha']>) => {
        asked += 1;
        return redis.evalsha(...call);
      },
      eval: redis.eval.bind(redis),
    };
    const { counts, metrics } = counters();
    const limiter = createRateLimiter({ redis: counting as never, factor: 1, metrics });
    const deciding = limiter.take('t', key, rule);
    // The client sends what one turn of the event loop gathered at its end.
    await new Promise((resolve) => setImmediate(resolve));
    const busyUntil = performance.now() + 400;
    untilRedisAnswers();
    while (performance.now() < busyUntil);
    expect((await deciding).allowed).toBe(false);
    expect({ asked, skipped: counts.skipped }).toEqual({ asked: 1, skipped: 0 });
  });

  it('counts again once Redis is back', async () => {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const late = openRedis(`redis://127.0.0.1:${port}/0`, 'requests');
    const limiter = createRateLimiter({ redis: late, factor: 1 });
    const rule = { perSecond: 0.001, burst: 1 };
    expect((await limiter.take('t', 'k', rule)).allowed).toBe(true);
    expect((await limiter.take('t', 'k', rule)).allowed).toBe(true);

    // A relay to the real Redis takes the place of the absent one.
    const target = new URL(stores.redisUrl);
    const relay = createServer((socket) => {
      const upstream = connect(Number(target.port), target.hostname);
      socket.pipe(upstream).pipe(socket);
      socket.on('error', () => upstream.destroy());
      upstream.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => relay.listen(port, '127.0.0.1', resolve));
    const key = newId();
    await eventually(async () => !(await limiter.take('t', key, rule)).allowed);
    late.disconnect();
    await new Promise((resolve) => relay.close(resolve));
  });
});

it('applies the factor to rate and burst', () => {
  expect(effectiveRule({ perSecond: 50, burst: 100 }, 50)).toEqual({ perSecond: 2_500, burst: 5_000 });
  expect(effectiveRule({ perSecond: 10, burst: 10 }, 1)).toEqual({ perSecond: 10, burst: 10 });
});
