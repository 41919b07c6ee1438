// What comes into the audit comes into the log with it: in one transaction, of every act that the log does not tell anyway, and with no value that changed.
import type { AuditedChange } from '../../subgraphs/shared/callers/audit';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import { slotOf } from '../../subgraphs/shared/store/slot';
import { type InTransaction, WriteConflict } from '../../subgraphs/shared/store/unit-of-work';
import { toldActions, untoldActions } from '../../subgraphs/shared/vocabulary/audit-action';
import { type EntityWorld, now, openEntityWorld, staff } from './entity-world';

let world: EntityWorld;
let inTransaction: InTransaction;
beforeAll(async () => {
  world = await openEntityWorld();
  ({ inTransaction } = createCommitter(world.stores.connection));
});
afterAll(() => world.close());

const changeOf = (action: AuditedChange['action'], more: Partial<AuditedChange> = {}): AuditedChange => ({
  action,
  subjectType: 'thing',
  subjectId: newId(),
  accountId: 'alpha',
  changes: [{ field: 'name', from: 'Old name', to: 'New name' }],
  ...more,
});
const written = (change: AuditedChange) => world.domains.access.audit(requestContext(staff, newId()), change);
const recordOf = (subjectId: string) => world.stores.connection.collection('audit').findOne({ subjectId });
const eventsOf = (subjectId: string) =>
  world.stores.connection.collection('events').find({ 'data.subjectId': subjectId }).toArray();

test.each(toldActions)('%s: the record and its event, both as the database wants them', async (action) => {
  const change = changeOf(action);
  await inTransaction({ inserts: [written(change)] });
  const record = await recordOf(change.subjectId);
  expect(record).toMatchObject({ action, changes: change.changes });
  expect(await eventsOf(change.subjectId)).toEqual([
    {
      _id: expect.any(String),
      environment: 'sandbox',
      accountId: 'alpha',
      merchantId: null,
      aggregateType: 'audit',
      aggregateId: record?._id,
      sequence: 1,
      type: 'audit.recorded',
      version: 1,
      occurredAt: now,
      requestId: record?.['requestId'],
      data: { auditId: record?._id, action, subjectType: 'thing', subjectId: change.subjectId },
      slot: slotOf({ merchantId: null, accountId: 'alpha' }),
      position: null,
    },
  ]);
});

test.each(untoldActions)('%s: the record alone', async (action) => {
  const change = changeOf(action);
  await inTransaction({ inserts: [written(change)] });
  expect(await recordOf(change.subjectId)).toMatchObject({ action });
  expect(await eventsOf(change.subjectId)).toEqual([]);
});

test.each<[string, Partial<AuditedChange>, string, string | null]>([
  ["a merchant's is the merchant's", { subjectType: 'merchant' }, 'alpha', 'itself'],
  ["a terminal's or a key's is its merchant's", { subjectType: 'terminal', merchantId: 'm-1' }, 'alpha', 'm-1'],
  ["the platform's own is no account's", { accountId: null }, '', null],
])('%s', async (_what, more, accountId, merchantId) => {
  const change = changeOf('terminal.changed', more);
  await inTransaction({ inserts: [written(change)] });
  const expected = merchantId === 'itself' ? change.subjectId : merchantId;
  expect(await eventsOf(change.subjectId)).toMatchObject([{ accountId, merchantId: expected }]);
  expect(await recordOf(change.subjectId)).not.toHaveProperty('merchantId');
});

test('what is not done leaves neither', async () => {
  const change = changeOf('merchant.changed');
  const updates = [{ collection: 'merchants', filter: { _id: 'nobody' }, update: { $set: { name: 'x' } } }];
  await expect(inTransaction({ inserts: [written(change)], updates })).rejects.toThrow(WriteConflict);
  expect(await recordOf(change.subjectId)).toBeNull();
  expect(await eventsOf(change.subjectId)).toEqual([]);
});
