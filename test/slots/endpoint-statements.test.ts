// What is done at one endpoint, from the look at what is due to how it came out, names that endpoint: of callbacks in shards those are asked that have its own.
import type { Callback, DueCallback } from '../../subgraphs/notifications';
import { createCallbackRepository } from '../../subgraphs/notifications/callbacks/callback.repository';
import { createLastAtEndpoints } from '../../subgraphs/notifications/callbacks/last-at-endpoint.repository';
import { createCallbackOriginRepository } from '../../subgraphs/notifications/origins/callback-origin.repository';
import { newId } from '../../subgraphs/shared/ids';
import { failedAttempt } from '../support/attempt-outcome';
import { eventually } from '../support/stores';
import { account, openWorld, type World } from '../workers/world';
import { namesKey } from './slot-rules';

const origin = 'http://127.0.0.1:7001';
const others = 'beta';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await world.notifications.seedEndpoint({ accountId: others, kind: 'notify-update', secret: world.secret });
  for (const accountId of [account, others]) await world.setAddress(origin, accountId);
  world.startOutbox();
});
afterAll(() => world.close());

/** One callback of each account, of one event each. */
async function twoCallbacks(): Promise<[Callback, Callback]> {
  const events = await world.happen({}, { accountId: others });
  const made = await eventually(async () => {
    const all = await world.callbacks();
    const found = events.flatMap(({ _id }) => all.filter(({ eventId }) => eventId === _id));
    return found.length === 2 ? found : null;
  });
  return made as [Callback, Callback];
}

const failed = (callback: Callback, at = world.clock.now()) => failedAttempt(callback, at);

interface Acted {
  one: Callback;
  other: Callback;
  due: DueCallback[];
}

const log = () => world.notifications.stores.deliveries;
const callbacks = () => createCallbackRepository(world.stores.product);
const origins = () => createCallbackOriginRepository(world.stores.product, world.notifications.stores.events);
const slice = { size: 1, after: null };
const later = () => new Date(world.clock.now().getTime() + 60_000);
/** Of one moment: alike are results that tell the same, its time too. */
const outcomes = ({ one, other }: Acted, at = world.clock.now()) => [failed(one, at), failed(other, at)];

/** How many statements on callbacks it takes, and what it is. */
const acts: [what: string, count: number, act: (acted: Acted) => Promise<unknown>][] = [
  ['what is due at one', 1, ({ one }) => log().due(one.endpointId, later(), 5)],
  ['what is due first at many', 1, ({ one, other }) => log().firstDue([one.endpointId, other.endpointId], later(), 5)],
  ['what others wait for', 1, ({ one, due }) => log().blockers(one.endpointId, due)],
  [
    'the same of many',
    1,
    ({ one, due }) => log().blockersAmong(new Map([[one.endpointId, { callbacks: due, isAll: true }]])),
  ],
  ['what waits is put off', 1, ({ one }) => log().defer(one.endpointId, [one.callbackId], later())],
  ['results of two that are alike', 1, (acted) => log().record(outcomes(acted), 1)],
  [
    'results where a redelivery was asked for meanwhile, and once more beside it',
    2,
    ({ one }) => log().record([{ ...failed(one), redelivery: newId() }], 1),
  ],
  ['results that are told', 2, (acted) => log().recordTold(outcomes(acted), 1, world.clock.now())],
  [
    'a result that counts for the health',
    2,
    async ({ one }) =>
      world.inTransaction((await log().toldWrites({ ...failed(one), endedAt: later() }, 1, world.clock.now())).writes),
  ],
  [
    'attempts of a worker that is gone',
    2,
    ({ one: { endpointId, callbackId } }) =>
      log().recoverInterrupted({ endpointId, fence: 2 }, [{ at: later(), callbackIds: [callbackId] }], later()),
  ],
  ['the end of what is due', 1, ({ one }) => log().endDue(one.endpointId, later(), 'endpointDisabled')],
  [
    'a redelivery of one that was found',
    1,
    ({ one }) => world.inTransaction({ updates: [callbacks().redeliver(one, newId(), later())] }),
  ],
  ['what it was told last', 1, ({ one }) => createLastAtEndpoints(world.stores.product)(world.staff, [one.endpointId])],
  ['what waits at an origin', 1, () => origins().undelivered(world.staff, [origin])],
  ['the terminals of an origin', 1, () => origins().terminals(world.staff, [origin])],
  [
    'a list of one, and how many there are',
    2,
    async ({ one }) => (await callbacks().list(world.staff, { endpointId: one.endpointId }, slice)).count(),
  ],
  ['a list of few', 1, ({ one }) => callbacks().list(world.staff, { endpointIds: [one.endpointId, 'none'] }, slice)],
];

test.each(acts)('%s', async (_what, count, act) => {
  const [one, other] = await twoCallbacks();
  const due = await log().due(one.endpointId, later(), 5);
  // The log goes on beside it with callbacks of what is told here.
  const before = world.stores.statements.length;
  await act({ one, other, due });
  const asked = world.stores.statements
    .slice(before)
    .filter(({ collection, verb }) => collection === 'deliveries' && verb !== 'insert');
  expect(asked).toHaveLength(count);
  expect(asked.filter((statement) => !namesKey(statement))).toEqual([]);
});
