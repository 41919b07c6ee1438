// Rate limits in Redis: an exact token bucket per key, and a sliding log of failures (2.1 of the decision register: rates, failed logins).
// Without Redis every call is let through and counted; the absence is remembered for a moment, so that it costs no waiting.
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { inTime } from '../deadline';
import type { Metrics } from '../log/metrics';

/** `burst` calls at once, refilled at `perSecond`; production figures, before RATE_LIMIT_FACTOR. */
export interface RateRule {
  perSecond: number;
  burst: number;
}

/** At most `failuresMax` within any `windowMs` of real time; production figures, before RATE_LIMIT_FACTOR. */
export interface FailureRule {
  failuresMax: number;
  windowMs: number;
}

/** The rates of the tokenization and administration interfaces (decision register 2.1 and 2.3-A), and of the graph. */
export const rateRules = {
  /** Each client, over the three inbound tokenization calls together. */
  tokenization: { perSecond: 50, burst: 100 },
  /** Each client, at /token and at /revoke. */
  authorization: { perSecond: 10, burst: 10 },
  /** Each key, over all calls of its family together. */
  administration: { perSecond: 10, burst: 20 },
  partner: { perSecond: 5, burst: 10 },
  reporting: { perSecond: 10, burst: 20 },
  /** Each graph client, over HTTP and WebSocket together; one operation is one call. */
  graph: { perSecond: 100, burst: 200 },
} as const satisfies Record<string, RateRule>;

/** Failed logins per client id (known or not) and address. */
export const loginFailureRule: FailureRule = { failuresMax: 10, windowMs: 60_000 };

/** The rule as it is in force: RATE_LIMIT_FACTOR applied. */
export function effectiveRule(rule: RateRule, factor: number): RateRule {
  return { perSecond: rule.perSecond * factor, burst: Math.max(1, Math.floor(rule.burst * factor)) };
}

export interface RateDecision {
  allowed: boolean;
  /** Calls the full bucket holds. */
  limit: number;
  /** Calls that may follow at once. */
  remaining: number;
  /** Real time until the next call is allowed; 0 when this one is. */
  retryAfterSeconds: number;
  /** Real time until the bucket is full again. */
  resetSeconds: number;
}

interface FailureDecision {
  blocked: boolean;
  /** Real time until the next try is heard; 0 when not blocked. */
  retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Takes one call from the bucket of `key` under `name`; one round trip. */
  take(name: string, key: string, rule: RateRule): Promise<RateDecision>;
  /** Takes more calls from that bucket for what was let through already, below empty if need be, but never deeper than one bucket. */
  debit(name: string, key: string, rule: RateRule, calls: number): Promise<void>;
  /** Whether that key has failed too often, without counting anything. */
  failures(name: string, key: string, rule: FailureRule): Promise<FailureDecision>;
  /** Counts one failure; `blocked` when it came after the last one that the rule allows. */
  fail(name: string, key: string, rule: FailureRule): Promise<FailureDecision>;
}

export interface RateLimiterDeps {
  /** Opened for requests: its calls fail fast while Redis is away. */
  redis: Pick<Redis, 'evalsha' | 'eval'>;
  /** RATE_LIMIT_FACTOR: multiplies rates and bursts. */
  factor: number;
  /** How long a call waits for the count; 250 ms when absent. What lies there when a busy process comes to read it is in time. */
  answerMsMax?: number;
  metrics?: Pick<Metrics, 'rateLimitSkipped' | 'rateLimited'>;
}

/** After a failed call Redis is left alone that long; then one call tries it again while the others still pass. */
const awayMs = 1_000;

export function createRateLimiter({ redis, factor, answerMsMax = 250, metrics }: RateLimiterDeps): RateLimiter {
  const ask = createAsk(redis, answerMsMax, () => metrics?.rateLimitSkipped.inc());

  async function askFailures(mode: 'look' | 'count', name: string, key: string, rule: FailureRule) {
    const failuresMax = Math.max(1, Math.floor(rule.failuresMax * factor));
    const answer = await ask(failureLog, `failures:${name}:${key}`, [failuresMax, rule.windowMs * 1_000, mode]);
    const [blocked, retryMicros] = answer ?? [0, 0];
    return { blocked: blocked === 1, retryAfterSeconds: wholeSeconds(retryMicros) };
  }

  return {
    async take(name, key, rule) {
      const { perSecond, burst } = effectiveRule(rule, factor);
      const answer = await ask(tokenBucket, `rate:${name}:${key}`, [
        Math.max(1, Math.floor(1_000_000 / perSecond)),
        burst,
      ]);
      const [allowed, remaining, retryMicros, resetMicros] = answer ?? [1, burst, 0, 0];
      if (allowed === 0) metrics?.rateLimited.inc({ name });
      return {
        allowed: allowed === 1,
        limit: burst,
        remaining,
        retryAfterSeconds: wholeSeconds(retryMicros),
        resetSeconds: wholeSeconds(resetMicros),
      };
    },
    async debit(name, key, rule, calls) {
      const { perSecond, burst } = effectiveRule(rule, factor);
      await ask(bucketDebit, `rate:${name}:${key}`, [Math.max(1, Math.floor(1_000_000 / perSecond)), burst, calls]);
    },
    failures: (name, key, rule) => askFailures('look', name, key, rule),
    fail: (name, key, rule) => askFailures('count', name, key, rule),
  };
}

function wholeSeconds(micros: number): number {
  return Math.ceil(micros / 1_000_000);
}

interface Script {
  lua: string;
  sha: string;
}

function script(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}

type Numbers = [number, number, number, number];
type Ask = (script: Script, key: string, args: (string | number)[]) => Promise<Numbers | null>;

/** Runs a script on one key; null means that Redis is away and the call passes. */
function createAsk(redis: RateLimiterDeps['redis'], answerMsMax: number, onSkipped: () => void): Ask {
  let awayUntilMs = 0;
  let isProbing = false;

  return async ({ lua, sha }, key, args) => {
    const wasAway = awayUntilMs > 0;
    if (wasAway && (isProbing || performance.now() < awayUntilMs)) {
      onSkipped();
      return null;
    }
    if (wasAway) isProbing = true;
    try {
      const answer = await inTime(run({ lua, sha }, key, args), answerMsMax, () => new Error('Redis does not answer'));
      if (wasAway) awayUntilMs = 0;
      return answer;
    } catch {
      // A limiter that cannot count must not refuse: the metric tells the operator.
      awayUntilMs = performance.now() + awayMs;
      onSkipped();
      return null;
    } finally {
      if (wasAway) isProbing = false;
    }
  };

  async function run({ lua, sha }: Script, key: string, args: (string | number)[]): Promise<Numbers> {
    return (await redis
      .evalsha(sha, 1, key, ...args)
      .catch((error: unknown) =>
        isUnknownScript(error) ? redis.eval(lua, 1, key, ...args) : Promise.reject(error),
      )) as Numbers;
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

/**
 * Generic cell rate algorithm: the key holds the microsecond (Redis's clock) at which the bucket is full again.
 * ARGV: whole microseconds per call, size of the bucket. Answers allowed, remaining, microseconds to the next call and to full.
 */
const tokenBucket = script(`
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now)
local room = burst * interval - (full - now)
if room < interval then
  return {0, 0, interval - room, full - now}
end
full = full + interval
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000) + 1)
return {1, math.floor((room - interval) / interval), 0, full - now}
`);

/** The same key, moved on by ARGV[3] calls. */
const bucketDebit = script(`
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, burst, calls = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now) + calls * interval
full = math.min(full, now + 2 * burst * interval)
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000) + 1)
return {1, 0, 0, full - now}
`);

/**
 * The list holds the instants of the newest failures. ARGV: failures allowed, window in microseconds, look or count.
 * Answers blocked, microseconds until it no longer is.
 */
const failureLog = script(`
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local most, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local first = redis.call('LINDEX', KEYS[1], most - 1)
if first and now - first < window then
  return {1, window - (now - first)}
end
if ARGV[3] == 'count' then
  redis.call('LPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('LTRIM', KEYS[1], 0, most - 1)
  redis.call('PEXPIRE', KEYS[1], window / 1000)
end
return {0, 0}
`);
