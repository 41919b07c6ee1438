// The audit as it is read: by who, what and when, newest first, and each account its own.
import { createAudit } from '../../subgraphs/access/audit/audit';
import { createAuditRepository } from '../../subgraphs/access/audit/audit.repository';
import type { AuditFilter } from '../../subgraphs/access/audit/audit-filter';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { manualClock } from '../../subgraphs/shared/clock';
import { newId } from '../../subgraphs/shared/ids';
import { staff } from '../gateway/fixture';
import { openStores, type Stores } from '../support/stores';

interface Row {
  _id: string;
  at: Date;
  actor: string;
  action: string;
  accountId: string | null;
}

const start = Date.parse('2026-11-01T00:00:00Z');
const at = (index: number) => new Date(start + Math.floor(index / 2) * 1_000);
const rows = Array.from({ length: 40 }, (_, index) => ({
  _id: newId(),
  environment: 'sandbox',
  accountId: index % 3 === 0 ? 'alpha' : null,
  at: at(index),
  actor: `actor-${index % 4}`,
  action: index % 5 === 0 ? 'payment.refunded' : 'client.created',
  subjectType: 'x',
  subjectId: `subject-${index % 2}`,
  requestId: 'r',
  changes: [],
}));
const newestFirst = [...rows].sort((a, b) => b.at.getTime() - a.at.getTime() || (a._id < b._id ? 1 : -1));

let stores: Stores;
let audit: ReturnType<typeof createAuditRepository>;
beforeAll(async () => {
  stores = await openStores();
  audit = createAuditRepository(stores.connection);
  await audit.ensureIndexes();
  await stores.connection.collection<Row>('audit').insertMany(rows, { bypassDocumentValidation: true });
});
afterAll(() => stores?.close());

async function idsOf(caller: Caller, filter: AuditFilter): Promise<string[]> {
  const found: string[] = [];
  for (let after: { at: Date; id: string } | null = null, more = true; more; ) {
    const page = await audit.list(caller, filter, { size: 3, after });
    found.push(...page.items.map(({ auditId }) => auditId));
    const last = page.items.at(-1);
    after = last ? { at: last.at, id: last.auditId } : null;
    more = page.hasNextPage;
  }
  return found;
}

test.each<[AuditFilter, (row: (typeof rows)[number]) => boolean]>([
  [{}, () => true],
  [{ actor: 'actor-2' }, ({ actor }) => actor === 'actor-2'],
  [{ action: 'payment.refunded' }, ({ action }) => action === 'payment.refunded'],
  [{ from: at(10), to: at(20) }, (row) => row.at >= at(10) && row.at <= at(20)],
  [{ from: at(38) }, (row) => row.at >= at(38)],
  [
    { actor: 'actor-0', subjectId: 'subject-0', to: at(30) },
    (row) => row.actor === 'actor-0' && row.subjectId === 'subject-0' && row.at <= at(30),
  ],
  [{ actor: 'nobody' }, () => false],
])('by %j', async (filter, fits) => {
  const expected = newestFirst.filter(fits);
  expect(await idsOf(staff, filter)).toEqual(expected.map(({ _id }) => _id));
  const own = expected.filter(({ accountId }) => accountId === 'alpha');
  expect(await idsOf({ ...staff, accountId: 'alpha' }, filter)).toEqual(own.map(({ _id }) => _id));
});

const ofAlpha: Caller = { ...staff, accountId: 'alpha' };

/** Of something that is alpha's, done from an address. */
async function recorded(actor: Caller, isFormer = false): Promise<string> {
  const context = { ...requestContext(actor, 'r'), address: '192.0.2.7' };
  const subject = { subjectType: 'thing', subjectId: 'of alpha', accountId: 'alpha' };
  const { document } = createAudit(manualClock(new Date()))(context, {
    action: 'merchant.changed',
    ...subject,
    changes: [],
  });
  const { actorAccountId, ...former } = document;
  const row = isFormer ? former : { ...former, actorAccountId };
  await stores.connection.collection<{ _id: string }>('audit').insertOne(row);
  return document._id;
}

test.each<[string, Caller, { isFormer?: boolean; isSeen: boolean }]>([
  ['staff', staff, { isSeen: false }],
  ['another tenant', { ...staff, accountId: 'beta' }, { isSeen: false }],
  ['its own people', ofAlpha, { isSeen: true }],
  ['its own people, by a release that kept no account of theirs', ofAlpha, { isFormer: true, isSeen: false }],
])('a tenant sees from where what is its own was acted on by %s', async (_who, actor, { isFormer, isSeen }) => {
  const auditId = await recorded(actor, isFormer);
  const addresses = async (caller: Caller) => {
    const [found] = await audit.find(caller, [auditId]);
    const { items } = await audit.list(caller, { subjectId: 'of alpha' }, { size: 10, after: null });
    return [found, items.find((each) => each.auditId === auditId)].map((each) => each?.address);
  };
  expect(await addresses(staff)).toEqual(['192.0.2.7', '192.0.2.7']);
  const seen = isSeen ? '192.0.2.7' : null;
  expect(await addresses(ofAlpha)).toEqual([seen, seen]);
});
