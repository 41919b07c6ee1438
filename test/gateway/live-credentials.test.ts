// Who is asked about when a credential changes: those whom the change concerns, however many are connected, and nobody is forgotten.
import { createLiveCredentials, type LiveCredentials } from '../../gateway/subscriptions/live-credentials';
import { closeCodes } from '../../gateway/subscriptions/subscription-connection';
import type { CredentialChange, Scope } from '../../subgraphs/shared/callers/caller';
import { eventually } from '../support/stores';
import { silentLog } from './fixture';

const end = new Date('2026-01-01T01:00:00Z');
let now: Date;
let live: Map<string, readonly Scope[]>;
let changes: CredentialChange[];
/** From when each look was to reach. */
let looks: Date[];
let asked: string[];
let failures: number;
let wake: () => void;
let closed: Map<string, number>;
let credentials: LiveCredentials;

beforeEach(() => {
  now = new Date('2026-01-01T00:00:00Z');
  live = new Map();
  closed = new Map();
  [changes, looks, asked, failures] = [[], [], [], 0];
  credentials = createLiveCredentials({
    clock: { now: () => now },
    log: silentLog,
    async liveScopes(hashes) {
      if (failures-- > 0) throw new Error('away');
      asked.push(...hashes);
      return live;
    },
    async changedSince(since) {
      looks.push(since);
      return changes.filter(({ at }) => at >= since);
    },
    credentialWakeUps(onWakeUp) {
      wake = onWakeUp;
      return () => undefined;
    },
  });
});
afterEach(() => credentials.stop());

function connect(hash: string, credentialId = `client of ${hash}`): () => void {
  live.set(hash, ['graph:read']);
  const caller = {
    kind: 'client' as const,
    accessTokenHash: hash,
    credentialId,
    scopes: ['graph:read'] as const,
    expiresAt: end,
  };
  return credentials.watch(caller, ({ code }) => closed.set(hash, code));
}

/** Until a whole look has begun and ended after this moment. */
async function looked(): Promise<void> {
  const before = looks.length;
  await eventually(() => looks.length >= before + 2);
}

/** Many connections that have been looked at once. */
async function crowd(size: number): Promise<void> {
  for (let index = 0; index < size; index += 1) connect(`token-${index}`, `client-${index % 100}`);
  wake();
  await eventually(() => asked.length >= size);
  asked = [];
}

test('those who have just come are asked about once: a change may lie between their authentication and now', async () => {
  connect('late');
  live.delete('late');
  await eventually(() => closed.has('late'));
  expect(closed.get('late')).toBe(closeCodes.revoked.code);
});

test.each([
  ['a token', { kind: 'token', id: 'token-7' } as const, ['token-7']],
  [
    'a client',
    { kind: 'client', id: 'client-7' } as const,
    Array.from({ length: 30 }, (_, at) => `token-${at * 100 + 7}`),
  ],
])('of 3,000 connections those of %s that changed are asked about, and closed', async (_what, change, concerned) => {
  await crowd(3_000);
  for (const hash of concerned) live.delete(hash);
  changes.push({ ...change, at: now });
  wake();
  await eventually(() => closed.size === concerned.length);
  expect([...closed.keys()].sort()).toEqual([...concerned].sort());
  // The others' turn comes by and by: 1 in 150 with each look.
  expect(asked.length).toBeLessThan(concerned.length + 20 * looks.length + 1);
  expect(asked.length).toBeLessThan(300);
});

test('a change is looked at once, although each look reaches back to it', async () => {
  await crowd(1_000);
  changes.push({ kind: 'client', id: 'client-7', at: now });
  await looked();
  await looked();
  expect(asked.filter((hash) => hash === 'token-907').length).toBeLessThan(3);
  expect(closed.size).toBe(0);
});

test('what a question failed for is asked again', async () => {
  await crowd(500);
  live.delete('token-3');
  failures = 2;
  changes.push({ kind: 'token', id: 'token-3', at: now });
  await eventually(() => closed.has('token-3'));
});

test('whose time is over is asked about without any change, also when the clock was moved', async () => {
  await crowd(500);
  live.clear();
  now = new Date(end.getTime() + 86_400_000);
  await eventually(() => closed.size === 500);
});

test('a look reaches back beyond a clock that was moved', async () => {
  await crowd(200);
  const before = now;
  now = new Date(now.getTime() + 60_000);
  await looked();
  expect(looks.at(-1)?.getTime()).toBeLessThan(before.getTime());
});

test('what no change tells of is found by the round', async () => {
  connect('gone');
  await eventually(() => asked.includes('gone'));
  live.delete('gone');
  await eventually(() => closed.has('gone'));
});

test('with other rights the connection is closed as changed; who has left is not asked about', async () => {
  connect('narrowed');
  const leave = connect('left');
  await eventually(() => asked.includes('left'));
  leave();
  live.set('narrowed', []);
  await eventually(() => closed.has('narrowed'));
  asked = [];
  await looked();
  expect(closed.get('narrowed')).toBe(closeCodes.changed.code);
  expect(asked).not.toContain('left');
});
