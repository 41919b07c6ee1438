// Calls to the token service with memory: intents, lost answers, the janitor, the circuit (tokenization interface, MTS-1618 and MTS-1619).
import { DomainError } from '../../subgraphs/shared/errors';
import { slotCount } from '../../subgraphs/shared/store/slot';
import { newTokenNumber } from '../../subgraphs/tokenization/sandbox/token-number';
import { guardTokenService } from '../../subgraphs/tokenization/token-service/circuit-breaker';
import type { ProvisionedToken, TokenService } from '../../subgraphs/tokenization/token-service/token-service';
import { eventually } from '../support/stores';
import { create, createdAccount, remove, transact } from './calls';
import { newCard, openWorld, type World } from './world';

const digits = newTokenNumber('VISA');
const token: ProvisionedToken = { tokenReference: 'reference', token: digits, tokenExpiry: '112029', par: null };

/** A token service to order: keeps what it provisioned, and behaves as the test says. */
function orderedService() {
  const provisioned = new Set<string>();
  const released: string[] = [];
  const service: TokenService & {
    onProvision: (requestId: string) => Promise<ProvisionedToken>;
    cryptogramText: string;
  } = {
    onProvision: async () => token,
    cryptogramText: `${'A'.repeat(27)}=`,
    async provision({ requestId }) {
      provisioned.add(requestId);
      return service.onProvision(requestId);
    },
    cryptogram: async () => service.cryptogramText,
    findProvisioning: async (requestId) => (provisioned.has(requestId) ? token : null),
    async release(requestId) {
      provisioned.delete(requestId);
      released.push(requestId);
    },
  };
  return { service, provisioned, released };
}

let world: World;
const ordered = orderedService();
beforeAll(async () => {
  world = await openWorld({ tokenService: ordered.service });
});
beforeEach(async () => {
  ordered.service.onProvision = async () => token;
  await intents().deleteMany({});
});
afterAll(() => world.close());

const intents = () => world.stores.connection.collection('provisioning_intents');
const accounts = () => world.stores.connection.collection('virtual_accounts');
const states = async () => (await intents().find().sort({ _id: 1 }).toArray()).map(({ state }) => state);
/** As if the half minute had passed. */
const makeDue = () => intents().updateMany({ dueAt: { $exists: true } }, { $set: { dueAt: new Date(0) } });

test('the intent is there while the token service is asked, and goes when the account stands: nothing for the janitor', async () => {
  const asked: string[][] = [];
  ordered.service.onProvision = async () => {
    asked.push(await states());
    return token;
  };
  await createdAccount(world, world.alpha);
  expect(asked).toEqual([['PENDING']]);
  expect(await states()).toEqual([]);
  expect(await world.tokenization.settleUnknownOutcomes()).toEqual({ settled: 0, postponed: 0 });
});

test('a refusal settles the intent', async () => {
  ordered.service.onProvision = () => Promise.reject(new DomainError('tokenServiceRefused'));
  expect((await create(world, world.alpha)).code).toBe('tokenServiceRefused');
  expect(await states()).toEqual(['REFUSED']);
});

test.each([
  ['tokenServiceFailed', new DomainError('tokenServiceFailed'), 'tokenServiceFailed'],
  ['no answer', new DomainError('unavailable'), 'unavailable'],
  ['a defect of the connector', new TypeError('x is not a function'), 'internal'],
])('%s: the outcome is unknown until the janitor has released what was made', async (_name, error, code) => {
  ordered.service.onProvision = () => Promise.reject(error);
  expect((await create(world, world.alpha)).code).toBe(code);
  expect(await states()).toEqual(['PENDING']);
  expect(await world.tokenization.settleUnknownOutcomes()).toEqual({ settled: 0, postponed: 0 });
  await makeDue();
  const before = ordered.provisioned.size;
  expect(await world.tokenization.settleUnknownOutcomes()).toEqual({ settled: 1, postponed: 0 });
  expect(ordered.provisioned.size).toBe(before - 1);
  expect(await states()).toEqual(['RELEASED']);
});

test.each([
  ['15 digits', { ...token, token: digits.slice(1) }],
  ['a wrong check digit', { ...token, token: `${digits.slice(0, -1)}${(Number(digits.at(-1)) + 1) % 10}` }],
  ['an expiry that is no month', { ...token, tokenExpiry: '132029' }],
  ['a short account reference', { ...token, par: 'SBX0' }],
])('an unusable token is a failure of the token service: %s', async (_name, answer) => {
  ordered.service.onProvision = async () => answer;
  expect((await create(world, world.alpha)).code).toBe('tokenServiceFailed');
  expect(await states()).toEqual(['PENDING']);
});

test('an unusable cryptogram is a failure of the token service', async () => {
  const { id } = await createdAccount(world, world.alpha);
  ordered.service.cryptogramText = 'short';
  expect((await transact(world, world.alpha, id)).code).toBe('tokenServiceFailed');
  ordered.service.cryptogramText = `${'A'.repeat(27)}=`;
});

test('a request that outlived the janitor makes no account of the released token', async () => {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const asked: string[] = [];
  ordered.service.onProvision = async (requestId) => {
    asked.push(requestId);
    if (asked.length === 1) await held;
    return token;
  };
  const slow = createdAccount(world, world.alpha);
  await eventually(() => asked.length === 1);
  await makeDue();
  await world.tokenization.settleUnknownOutcomes();
  expect(ordered.released).toContain(asked[0]);
  letGo();
  const { id } = await slow;
  expect(await accounts().findOne({ _id: id as never })).toMatchObject({ provisioningId: asked[1] });
  expect(await states()).toEqual(['RELEASED']);
});

test('a deleted account is released by the janitor, though the token service was away', async () => {
  const { id } = await createdAccount(world, world.alpha);
  await remove(world, world.alpha, id);
  const provisioningId = (await accounts().findOne({ _id: id as never }))?.provisioningId;
  const find = ordered.service.findProvisioning;
  ordered.service.findProvisioning = () => Promise.reject(new DomainError('unavailable'));
  expect(await world.tokenization.settleUnknownOutcomes()).toEqual({ settled: 0, postponed: 1 });
  ordered.service.findProvisioning = find;
  await makeDue();
  expect(await world.tokenization.settleUnknownOutcomes()).toEqual({ settled: 1, postponed: 0 });
  expect(ordered.released).toContain(provisioningId);
});

test('two janitors at once settle each intent once', async () => {
  for (let count = 0; count < 8; count += 1) {
    const { id } = await createdAccount(world, world.alpha, { account: newCard() });
    await remove(world, world.alpha, id);
  }
  const [a, b] = await Promise.all([
    world.tokenization.settleUnknownOutcomes(),
    world.tokenization.settleUnknownOutcomes(),
  ]);
  expect(a.settled + b.settled).toBe(8);
});

test('each lane settles what lies in its slots, and what has none is of the first', async () => {
  ordered.service.onProvision = () => Promise.reject(new DomainError('unavailable'));
  for (let count = 0; count < 2; count += 1) await create(world, world.alpha, { account: newCard() });
  await makeDue();
  const [first] = await intents().find().toArray();
  const { slot } = first as unknown as { slot: number };
  await intents().updateOne({ _id: first?._id }, { $unset: { slot: 1 } });
  const settledIn = (from: number, to: number) => world.tokenization.settleUnknownOutcomes({ from, to });
  expect(await settledIn(slot + 1, slotCount - 1)).toEqual({ settled: 0, postponed: 0 });
  expect(await settledIn(slot, slot)).toEqual({ settled: 1, postponed: 0 });
  expect(await settledIn(0, 0)).toEqual({ settled: 1, postponed: 0 });
});

describe('the circuit', () => {
  const limits = { callTimeoutMs: 20, silencesMax: 3, openMs: 600 };
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error: DomainError) => error.code ?? error.name,
    );

  test('opens after silences in a row, asks nothing while open, closes with the first answer', async () => {
    let calls = 0;
    let isSilent = true;
    const { service } = orderedService();
    service.findProvisioning = () => {
      calls += 1;
      return isSilent ? new Promise(() => undefined) : Promise.resolve(null);
    };
    const guarded = guardTokenService(service, limits);
    for (let count = 0; count < 3; count += 1) expect(await refusal(guarded.findProvisioning('x'))).toBe('unavailable');
    expect(() => guarded.admit()).toThrow(
      expect.objectContaining({ code: 'unavailable', details: { retryAfterSeconds: 1 } }),
    );
    expect(await refusal(guarded.findProvisioning('x'))).toBe('unavailable');
    expect(calls).toBe(3);
    isSilent = false;
    await eventually(() => guarded.admit() === undefined);
    expect(await refusal(guarded.findProvisioning('x'))).toBeNull();
    expect(await refusal(guarded.findProvisioning('x'))).toBeNull();
    expect(calls).toBe(5);
  });

  test('half open, one call goes ahead and its silence opens the circuit again', async () => {
    const { service } = orderedService();
    let calls = 0;
    service.findProvisioning = () => {
      calls += 1;
      return new Promise(() => undefined);
    };
    const guarded = guardTokenService(service, limits);
    for (let count = 0; count < 3; count += 1) await refusal(guarded.findProvisioning('x'));
    await eventually(() => guarded.admit() === undefined);
    await Promise.all([1, 2, 3].map(() => refusal(guarded.findProvisioning('x'))));
    expect(calls).toBe(4);
    expect(() => guarded.admit()).toThrow();
  });

  test('refusals and failures are answers: no bad card can open it; each call is told', async () => {
    const { service } = orderedService();
    const told: string[] = [];
    const guarded = guardTokenService(service, limits, ({ call, outcome }) => told.push(`${call} ${outcome}`));
    await guarded.cryptogram({ requestId: 'x', tokenReference: 'y' });
    for (const code of ['tokenServiceRefused', 'tokenServiceFailed'] as const) {
      service.findProvisioning = () => Promise.reject(new DomainError(code));
      for (let count = 0; count < 10; count += 1) expect(await refusal(guarded.findProvisioning('x'))).toBe(code);
    }
    expect(() => guarded.admit()).not.toThrow();
    expect(told.slice(0, 2)).toEqual(['cryptogram answered', 'findProvisioning tokenServiceRefused']);
  });

  test('while it is open a creation writes no intent', async () => {
    ordered.service.onProvision = () => Promise.reject(new DomainError('unavailable'));
    for (let count = 0; count < 5; count += 1) await create(world, world.alpha);
    const before = await intents().countDocuments();
    expect((await create(world, world.alpha)).code).toBe('unavailable');
    expect(await intents().countDocuments()).toBe(before);
  });
});
