// Mixed load for the proofs: virtual accounts that are created, paid with, suspended, resumed, changed and deleted, each call repeated until it is answered;
// what was acknowledged is kept, to be held against the databases afterwards.

import { setTimeout as wait } from 'node:timers/promises';
import { CompactEncrypt, importJWK } from 'jose';
import { newId } from '../../subgraphs/shared/ids';
import { rest } from '../support/client';
import { accountExpiry } from '../support/expiry';
import { freshCardNumber, type Partner, partnerOf } from '../support/partner';
import { eventually } from '../support/stores';
import type { World } from '../support/world';
import { type Attempts, type Call, createAttempts } from './attempts';
import type { Random } from './random';

export type Tenant = 'alpha' | 'beta';
export type StepName =
  | 'CREATE'
  | 'TRANSACTION'
  | 'SUSPEND'
  | 'RESUME'
  | 'REPLACE_CARD'
  | 'EXTEND_EXPIRY'
  | 'DELETE'
  | 'CALLER_DELETE';

export interface Step {
  name: StepName;
  tries: number;
  /** Answered with success; without it the outcome is open. */
  isAcknowledged: boolean;
  transactionId?: string;
}

/** One virtual account's history as its only writer knows it. */
export interface Life {
  tenant: Tenant;
  virtualAccountId: string | null;
  steps: Step[];
}

export interface Traffic {
  lives: Life[];
  attempts: Attempts;
  /** Acknowledged steps so far. */
  count(): number;
  /** Lets every life end its present step. */
  stop(): Promise<void>;
}

export interface TrafficOptions {
  random: Random;
  /** Lives at the same time. */
  actors: number;
  /** Longest pause between two steps of a life. */
  pauseMsMax?: number;
  attempts?: Attempts;
}

/** Starts the load; all of it goes to loopback. */
export async function startTraffic(world: World, options: TrafficOptions): Promise<Traffic> {
  const { random, actors, pauseMsMax = 40, attempts = createAttempts() } = options;
  const partners = { alpha: await renewed(world, 'alpha'), beta: await renewed(world, 'beta') };
  const seal = await sealerOf(world);
  const lives: Life[] = [];
  let isStopping = false;
  const actor = async (own: Random, index: number) => {
    const tenant: Tenant = index % 2 === 0 ? 'alpha' : 'beta';
    while (!isStopping) {
      const life: Life = { tenant, virtualAccountId: null, steps: [] };
      lives.push(life);
      const live = createCalls(world, await partners[tenant](), seal);
      for (const name of planLife(own)) {
        if (isStopping) break;
        await step(world, attempts, { life, name, call: await live(name, life) });
        await wait(own.next() * pauseMsMax);
      }
    }
  };
  const running = Array.from({ length: actors }, (_, index) => actor(random.branch(`actor ${index}`), index));
  return {
    lives,
    attempts,
    count: () => lives.flatMap(({ steps }) => steps).filter(({ isAcknowledged }) => isAcknowledged).length,
    async stop() {
      isStopping = true;
      await Promise.all(running);
    },
  };
}

/** Long before an access token ends; a life takes seconds. */
const tokenMsMax = 20 * 60_000;

/** The partner with an access token that is good for a while: a long run outlives many. Where a new one cannot be had now, the old one serves on. */
async function renewed(world: World, tenant: Tenant): Promise<() => Promise<Partner>> {
  let partner = await partnerOf(world, tenant);
  let renewAtMs = performance.now() + tokenMsMax;
  return async () => {
    if (performance.now() > renewAtMs) {
      const next = await partnerOf(world, tenant).catch(() => null);
      if (next) renewAtMs = performance.now() + tokenMsMax;
      partner = next ?? partner;
    }
    return partner;
  };
}

/** Steps that each lead to a success, whatever the order of faults. */
function planLife(random: Random): StepName[] {
  const steps: StepName[] = ['CREATE'];
  let isSuspended = false;
  for (let count = random.between(2, 7); count > 0; count -= 1) {
    const next: StepName = random.pick<StepName>(
      isSuspended
        ? ['RESUME', 'RESUME', 'REPLACE_CARD', 'EXTEND_EXPIRY']
        : ['TRANSACTION', 'SUSPEND', 'SUSPEND', 'REPLACE_CARD', 'EXTEND_EXPIRY'],
    );
    if (next === 'SUSPEND' || next === 'RESUME') isSuspended = next === 'SUSPEND';
    steps.push(next);
  }
  if (random.next() < 0.6) steps.push(random.pick<StepName>(['DELETE', 'CALLER_DELETE']));
  return steps;
}

async function step(
  world: World,
  attempts: Attempts,
  { life, name, call }: { life: Life; name: StepName; call: { call: Call; transactionId?: string } | null },
): Promise<void> {
  if (!call) return;
  const done: Step = { name, tries: 0, isAcknowledged: false, transactionId: call.transactionId };
  life.steps.push(done);
  const { answer, tries } = await attempts.persist(world.urls.rest, call.call);
  done.tries = tries;
  done.isAcknowledged = answer !== null && answer.status < 300;
  if (answer && answer.status >= 300) {
    attempts.faults.push(`${name} after ${tries} tries answered ${answer.status} ${answer.text}`);
  }
  if (name === 'CREATE' && done.isAcknowledged) life.virtualAccountId = answer?.body.virtualAccountId ?? null;
}

/** The call of a step; null when the account it needs was never acknowledged. */
function createCalls(world: World, partner: Partner, seal: Seal) {
  const { merchantId } = partner.credentials;
  const ours = (method: string, path: string, body: unknown): Call => ({
    method,
    path,
    options: { headers: partner.headers({ 'Idempotency-Key': newId() }), body },
  });
  return async (name: StepName, life: Life): Promise<{ call: Call; transactionId?: string } | null> => {
    if (name === 'CREATE') {
      const encryptedData = await seal({ account: freshCardNumber(), accountExpiry, cvv: '123' });
      return {
        call: ours('POST', '/virtual-accounts/token', { merchantInfo: { merchantId }, accountInfo: { encryptedData } }),
      };
    }
    if (!life.virtualAccountId) return null;
    const path = `/virtual-accounts/${life.virtualAccountId}`;
    if (name === 'TRANSACTION') {
      const transactionInfo = newTransactionInfo();
      const call = ours('POST', `${path}/transaction`, { merchantInfo: { merchantId }, transactionInfo });
      return { call, transactionId: transactionInfo.transactionId };
    }
    if (name === 'CALLER_DELETE')
      return { call: ours('PUT', `${path}/tokenState`, { tokenState: 'DELETE', reasonCode: '1023' }) };
    return { call: issuerEvent(world, life.virtualAccountId, name) };
  };
}

/** A call of the sandbox that does what the issuer would do. */
export function issuerEvent({ credentials }: World, virtualAccountId: string, event: string): Call {
  return {
    method: 'POST',
    path: `/sandbox/virtual-accounts/${virtualAccountId}/events`,
    options: { headers: { 'X-Sandbox-Key': credentials.sandboxKey }, body: { event } },
  };
}

/** Now, by this machine's clock: only for worlds whose clock is not moved. */
export function newTransactionInfo() {
  const transactionDateTime = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  return { transactionId: newId(), transactionDateTime, amount: '000000001999', currencyCode: '978' };
}

export type Seal = (payload: object) => Promise<string>;

/** Seals with the key that is current now, read once. */
export async function sealerOf(world: World): Promise<Seal> {
  // A machine that stands still may answer the first one with 503.
  const { call } = rest(world.urls.rest);
  const answer = () => call('GET', '/.well-known/jwks.json');
  const [jwk] = await eventually(async () => (await answer()).body?.keys, { timeoutMs: 60_000 });
  const key = await importJWK(jwk, 'RSA-OAEP-256');
  const header = { alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: jwk.kid };
  return (payload) => new CompactEncrypt(Buffer.from(JSON.stringify(payload))).setProtectedHeader(header).encrypt(key);
}
