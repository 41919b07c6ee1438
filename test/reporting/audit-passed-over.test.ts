// Events that are none of theirs: the outbox gives them their places, and books, figures and callbacks pass them over.
import { auditEvent } from '../../subgraphs/access/audit/audit.events';
import { newId } from '../../subgraphs/shared/ids';
import type { AggregateType, NewEvent } from '../../subgraphs/shared/store/unit-of-work';
import { merchants, openReportingWorld, type ReportingWorld, start } from './reporting-world';

let world: ReportingWorld;
const { one } = merchants;
beforeAll(async () => {
  world = await openReportingWorld();
});
beforeEach(() => world.empty());
afterAll(() => world.close());

const subject = { action: 'terminal.changed', subjectType: 'terminal', subjectId: 't-1', accountId: one.accountId };
const recorded = (): NewEvent =>
  auditEvent({ ...subject, _id: newId(), environment: 'sandbox', at: start, requestId: newId() }, one.merchantId);
const stored = (name: string, filter = {}) => world.stores.connection.collection(name).countDocuments(filter);

test.each<[string, () => NewEvent]>([
  ['of the audit', recorded],
  // Its aggregate is one of ours: the validator takes no other.
  ['of a type that only another release knows', () => ({ ...recorded(), type: 'weather.changed' })],
])('an event %s', async (_what, other) => {
  const before = other();
  await world.commit(before, world.operation(one, { amount: 1_000n, at: start }), other());
  await world.feed();
  for (const feed of await world.reporting.figureFeeds()) while ((await world.reporting.countNext(feed)).events > 0);
  expect(await stored('events', { position: null })).toBe(0);
  expect(await stored('event_segments', { 'heads.aggregateType': 'audit' satisfies AggregateType })).toBeGreaterThan(0);
  expect(await stored('deliveries')).toBe(0);
  expect(await stored('journal_entries')).toBe(1);
  const made = await world.settle(start.toISOString().slice(0, 10));
  expect(made.map(({ amount }) => amount)).toEqual([1_000n]);
  expect((await world.reporting.checkBooks()).differences).toEqual([]);
});
