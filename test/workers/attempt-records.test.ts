// An attempt that the log tells and its event are one transaction: when the database refuses either of them, there is neither.
import { newId } from '../../subgraphs/shared/ids';
import { failedAttempt } from '../support/attempt-outcome';
import { eventually } from '../support/stores';
import { validatorIn } from './validator-in';
import { openWorld, type World } from './world';

let world: World;
beforeEach(async () => {
  world = await openWorld();
  world.startOutbox();
});
afterEach(() => world.close());

const database = () => world.stores.connection.getClient().db(world.stores.databaseName);

/** One callback that is claimed, and how its first attempt is recorded and told. */
async function claimed() {
  const { leases, deliveries } = world.notifications.stores;
  const endpointId = await world.setAddress('http://127.0.0.1:7001');
  await world.happen({});
  const callbackId = await eventually(async () => (await world.callbacks())[0]?.callbackId);
  const lease = await leases.acquire(endpointId, newId(), 60_000);
  if (!lease) throw new Error('the lease is free');
  const at = world.clock.now();
  await leases.claim(lease, [{ at, callbackIds: [callbackId] }]);
  const outcome = failedAttempt({ callbackId, endpointId }, at, new Date(at.getTime() + 1_000));
  return () => deliveries.recordTold([outcome], lease.fence, at);
}

async function kept() {
  const events = await database().collection('events').countDocuments({ aggregateType: 'callback' });
  return { attempts: (await world.callbacks()).flatMap(({ attempts }) => attempts).length, events };
}

test.each([
  ['the event', 'events', { aggregateType: { $ne: 'callback' } }],
  ['the record', 'deliveries', { attempts: { $size: 0 } }],
])('neither stands alone when %s cannot be written', async (_what, collection, rule) => {
  const record = await claimed();
  const { validator, put } = await validatorIn(database(), collection);
  await put({ $and: [validator, rule] });
  await expect(record()).rejects.toThrow(/validation/);
  expect(await kept()).toEqual({ attempts: 0, events: 0 });
  await put(validator);
  await record();
  expect(await kept()).toEqual({ attempts: 1, events: 1 });
});
