// When a key was last used, to the hour: told to whoever may read keys, written once for each key and hour of a process, and never in the way of a request.
import { createKeyUses } from '../../subgraphs/access/keys/api-key.service';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { manualClock } from '../../subgraphs/shared/clock';
import { newId } from '../../subgraphs/shared/ids';
import { eventually } from '../support/stores';
import { admin, ask, openWorld, type World } from './world';

const hourMs = 3_600_000;
let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.closeAll());

async function issue(access = world.access) {
  const merchantId = `merchant-${newId()}`;
  const { key, secret } = await access.apiKeys.issue(requestContext(admin, newId()), {
    kind: 'merchant',
    mode: 'live',
    accountId: 'alpha',
    holderId: merchantId,
    merchantId,
    label: 'reports',
  });
  return { ...key, merchantId, whole: `${key.keyId}.${secret}` };
}
type Key = Awaited<ReturnType<typeof issue>>;
type Access = World['access'];

const query = 'query ($m: ID) { apiKeys(merchantId: $m) { edges { node { keyId lastUsedAt } } } }';
async function lastUse({ merchantId }: Key): Promise<Date | null> {
  const { data, codes } = await ask(world.access, query, { variables: { m: merchantId } });
  expect(codes).toEqual([]);
  const { lastUsedAt } = data.apiKeys.edges[0].node;
  return lastUsedAt && new Date(lastUsedAt);
}
const use = ({ whole }: Key, access: Access = world.access) => access.authenticateSecretKey(whole);
/** The beginning of the present hour. */
const hour = () => new Date(Math.floor(world.clock.now().getTime() / hourMs) * hourMs);
const isNow = async (key: Key) => (await lastUse(key))?.getTime() === hour().getTime();

it('is null until the key is used, then the beginning of the hour, and moves on with the hours', async () => {
  const key = await issue();
  expect(await lastUse(key)).toBeNull();
  await use(key);
  await eventually(() => isNow(key));
  const first = await lastUse(key);
  world.clock.advance(hourMs);
  expect(await lastUse(key)).toEqual(first);
  await use(key);
  await eventually(() => isNow(key));
});

it('is the latest of all processes, however late the others write', async () => {
  const key = await issue();
  const { access } = await world.instance();
  world.clock.advance(hourMs);
  await use(key);
  await eventually(() => isNow(key));
  const latest = await lastUse(key);
  const uses = world.connection.collection<{ _id: string }>('api_key_uses');
  world.clock.advance(hourMs);
  await use(key, access);
  await eventually(() => isNow(key));
  expect(await uses.countDocuments({ _id: key.keyId })).toBe(1);
  expect(latest?.getTime()).toBe(hour().getTime() - hourMs);
});

it('is not moved by who does not hold the secret, nor by a key that was revoked', async () => {
  const [known, revoked] = [await issue(), await issue()];
  await expect(use({ ...known, whole: `${known.keyId}.${'x'.repeat(43)}` })).rejects.toMatchObject({
    code: 'unauthenticated',
  });
  await world.access.apiKeys.revoke(requestContext(admin, newId()), revoked.keyId);
  await expect(use(revoked)).rejects.toMatchObject({ code: 'keyRevoked' });
  // A use that is noted later than these would have been.
  const after = await issue();
  await use(after);
  await eventually(() => isNow(after));
  expect([await lastUse(known), await lastUse(revoked)]).toEqual([null, null]);
});

it('leaves the key and its audit as they were', async () => {
  const key = await issue();
  const kept = () => world.connection.collection<{ _id: string }>('api_keys').findOne({ _id: key.keyId });
  const before = await kept();
  await use(key);
  await eventually(() => isNow(key));
  expect(await kept()).toEqual(before);
  expect(await world.connection.collection('audit').countDocuments({ subjectId: key.keyId })).toBe(1);
});

describe('the writes', () => {
  const key = { keyId: 'key-1', environment: 'sandbox' } as const;
  const other = { ...key, keyId: 'key-2' };
  const start = new Date('2026-11-21T10:59:59.999Z');

  it('are one for each key and hour', () => {
    const clock = manualClock(start);
    const written: [string, string][] = [];
    const note = createKeyUses(clock, {
      write: async ({ keyId }, at) => void written.push([keyId, at.toISOString()]),
    });
    for (const each of [key, key, other, key]) note(each);
    clock.advance(1);
    for (const each of [key, key]) note(each);
    expect(written).toEqual([
      ['key-1', '2026-11-21T10:00:00.000Z'],
      ['key-2', '2026-11-21T10:00:00.000Z'],
      ['key-1', '2026-11-21T11:00:00.000Z'],
    ]);
  });

  it('are awaited by nobody, and tried again by the next use when they fail', async () => {
    let tries = 0;
    const failures: Promise<void>[] = [];
    const note = createKeyUses(manualClock(start), {
      write: () => {
        tries += 1;
        const failure = Promise.reject<void>(new Error('the database is away'));
        failures.push(failure);
        return failure;
      },
    });
    expect([note(key), note(key), tries]).toEqual([undefined, undefined, 1]);
    await Promise.allSettled(failures);
    await eventually(async () => {
      note(key);
      return tries > 1;
    });
  });
});
