// Refusals in the audit: told at once, counted afterwards, and bounded whatever a flood names itself or comes from.
import type { Refused } from '../../subgraphs/shared/callers/audit';
import { newId } from '../../subgraphs/shared/ids';
import { openWorld, type World } from './world';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.closeAll());

const refused = (more: Partial<Refused> = {}): Refused => ({
  action: 'credential.refused',
  requestId: newId(),
  address: '192.0.2.1',
  caller: null,
  subjectType: 'surface',
  subjectId: 'apiKey',
  ...more,
});
const written = () => world.connection.collection('audit').find().sort({ at: 1 }).toArray();
const { flush, note } = {
  flush: (all?: boolean) => world.access.refusals.flush(all),
  note: (more?: Partial<Refused>) => world.access.refusals.note(refused(more)),
};

test('the first is told at once, what is alike within its minute once more with a count', async () => {
  const requestId = newId();
  note({ requestId });
  await flush();
  for (let time = 0; time < 99; time += 1) note();
  await flush();
  expect(await written()).toMatchObject([
    {
      action: 'credential.refused',
      actor: 'anonymous',
      address: '192.0.2.1',
      requestId,
      count: 1,
      subjectId: 'apiKey',
    },
  ]);
  world.clock.advance(60_000);
  note();
  await flush();
  expect((await written()).map(({ count }) => count).sort()).toEqual([1, 1, 99]);
});

test('address, credential, reason and place tell one kind from another', async () => {
  const caller = { credentialId: 'client-1', accountId: 'alpha' };
  const kinds: Partial<Refused>[] = [
    { address: '192.0.2.2' },
    { caller },
    { action: 'right.refused' },
    { subjectId: 'graph' },
  ];
  for (const more of [{}, ...kinds]) note(more);
  await flush();
  expect(await written()).toHaveLength(5);
  expect(await written()).toContainEqual(expect.objectContaining({ actor: 'client-1', accountId: 'alpha', count: 1 }));
});

test.each<[string, (time: number) => Partial<Refused>]>([
  ['from one address under ever new names', (time) => ({ claimedActor: `name-${time}`, action: 'login.refused' })],
  ['from ever new addresses', (time) => ({ address: `2001:db8::${time.toString(16)}` })],
  ['at ever new operations', (time) => ({ subjectId: `operation${time}`, address: `192.0.2.${time % 200}` })],
])(
  'a flood %s fills no more than a few hundred records a minute, and none is forgotten in the count',
  async (_how, more) => {
    for (let time = 0; time < 20_000; time += 1) note(more(time));
    await flush();
    for (let time = 0; time < 20_000; time += 1) note(more(time));
    await flush(true);
    const records = await written();
    expect(records.length).toBeLessThanOrEqual(2 * 201);
    expect(records.reduce((sum, { count }) => sum + count, 0)).toBe(40_000);
  },
);

test('a name is kept when it is a client of ours: what else was sent as one may be a secret', async () => {
  const { clientId, clientSecret } = await world.seedTokenizationClient();
  note({ action: 'login.refused', claimedActor: clientId });
  note({ action: 'login.refused', claimedActor: clientSecret });
  await flush();
  const names = (await written())
    .filter(({ action }) => action === 'login.refused')
    .map((record) => record['claimedActor']);
  expect(names.sort()).toEqual([clientId, undefined]);
});

test('what the database could not take is written later, once', async () => {
  const { mongo, access } = await world.instance();
  await mongo.close();
  access.refusals.note(refused());
  await expect(access.refusals.flush()).rejects.toThrow();
  await expect(access.refusals.flush()).rejects.toThrow();
  expect(await written()).toEqual([]);
  note();
  note();
  await Promise.all([flush(), flush(), flush(true)]);
  expect(await written()).toMatchObject([{ count: 2 }]);
});
