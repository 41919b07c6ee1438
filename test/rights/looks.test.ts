// Whoever looks through the graph at data of people unmasked is named in the audit, person or program; the platform itself is not.
import { createAudit } from '../../subgraphs/access/audit/audit';
import { createLookRecorder } from '../../subgraphs/access/audit/look.service';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import { type EntityWorld, now, openEntityWorld, staff } from '../journeys/entity-world';
import { ownedEntities } from '../journeys/owned-entities';

let world: EntityWorld;
beforeAll(async () => {
  world = await openEntityWorld();
});
afterAll(() => world?.close());

const person: Caller = { ...staff, kind: 'person', scopes: ['graph:administrator'], authTime: now };
const ofStaff: Caller = { ...person, credentialId: 'person:p-1' };
const callers: [who: string, caller: Caller, actors: string[]][] = [
  ['a person of staff', ofStaff, ['person:p-1']],
  [
    'a person of an account',
    { ...person, accountId: 'alpha', credentialId: 'person:p-2', scopes: ['graph:read'] },
    ['person:p-2'],
  ],
  ['a program', { ...staff, credentialId: 'program' }, ['program']],
  ['the platform', { ...staff, kind: 'system', credentialId: 'system' }, []],
];

const recorded = async (subjectId: unknown) => {
  const found = world.stores.connection.collection('audit').find({ subjectId });
  return (await found.toArray()).map(({ action, actor }) => ({ action, actor }));
};

async function newOperation(): Promise<{ id: string; look(caller: Caller): Promise<void> }> {
  const key = await ownedEntities.find(({ type }) => type === 'Operation')?.key(world, 'alpha');
  const source = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Operation { customerInfo } } }';
  return {
    id: String(key?.['operationId']),
    async look(caller) {
      const { errors } = await world.ask('payments', caller, source, { of: [{ __typename: 'Operation', ...key }] });
      expect(errors).toBe(undefined);
    },
  };
}

test.each(callers)('%s', async (_who, caller, actors) => {
  const { id, look } = await newOperation();
  await look(caller);
  expect(await recorded(id)).toEqual(actors.map((actor) => ({ action: 'operation.shown', actor })));
});

test('a screen that reads on is recorded once in a quarter of an hour, a program each time', async () => {
  const { id, look } = await newOperation();
  const lookAll = () => Promise.all([ofStaff, { ...ofStaff, credentialId: 'person:p-3' }, ofStaff].map(look));
  await lookAll();
  await lookAll();
  expect(await recorded(id)).toHaveLength(2);
  world.clock.advance(15 * 60_000);
  await lookAll();
  expect(await recorded(id)).toHaveLength(4);
  for (const caller of [staff, staff]) await look(caller);
  expect(await recorded(id)).toHaveLength(6);
});

describe('a person at several processes', () => {
  const look = { subjectType: 'payout' as const, accountId: 'alpha' };
  const newRecorder = () =>
    createLookRecorder({
      clock: world.clock,
      inTransaction: createCommitter(world.stores.connection).inTransaction,
      audit: createAudit(world.clock),
    });

  test('is recorded once, from each address', async () => {
    const at = (address: string) => ({ ...requestContext(ofStaff, 'r-1'), address });
    const recorders = [newRecorder(), newRecorder(), newRecorder()];
    for (const address of ['192.0.2.1', '192.0.2.2'])
      await Promise.all(recorders.map((record) => record(at(address), { ...look, subjectId: 'payout-1' })));
    expect(await recorded('payout-1')).toHaveLength(2);
  });

  test('is shown nothing when it cannot be recorded', async () => {
    const refusing = createLookRecorder({
      clock: world.clock,
      inTransaction: () => Promise.reject(new Error('no primary')),
      audit: createAudit(world.clock),
    });
    const record = () => refusing(requestContext(ofStaff, 'r-2'), { ...look, subjectId: 'payout-2' });
    await expect(record()).rejects.toThrow('no primary');
    await expect(record()).rejects.toThrow('no primary');
  });
});
