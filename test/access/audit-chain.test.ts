// The chain over the audit: every record gets its place once, whatever dies, and the verification names what was altered, removed, inserted, moved or cut.
import { randomBytes } from 'node:crypto';
import type { Document } from 'mongodb';
import {
  auditPublicKey,
  auditSigningKey,
  createAuditChaining,
  readAuditPublicKeys,
  verifyAudit,
} from '../../subgraphs/access';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import { admin, ask, openWorld, type World } from './world';

let world: World;
const seed = randomBytes(32).toString('base64');
const key = auditSigningKey(seed);
const keys = readAuditPublicKeys(auditPublicKey(seed));
const never = new AbortController().signal;

beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.closeAll());

const collection = (name: string) => world.connection.collection<Document & { _id: string }>(name);
const chain = () => createAuditChaining(world.access.auditChain, key)(never);
const verify = (options: Partial<Parameters<typeof verifyAudit>[1]> = {}) =>
  verifyAudit(world.access.auditChain, { keys, waitMsMax: 200, ...options });
const entryAt = (sequence: number) => collection('audit_chain').findOne({ sequence });

/** So many changes, each in a transaction of its own; returns the ids of their records. */
async function record(count: number): Promise<string[]> {
  const { inTransaction } = createCommitter(world.connection);
  const context = { ...requestContext(admin, newId()), address: '192.0.2.7' };
  const writes = Array.from({ length: count }, (_, index) => {
    const subject = { subjectType: 'thing', subjectId: `thing-${index}`, accountId: null };
    const change = { action: 'merchant.changed', ...subject } as const;
    return world.access.audit(context, { ...change, changes: [{ field: 'name', from: null, to: `new ${index}` }] });
  });
  await Promise.all(writes.map((write) => inTransaction({ inserts: [write] })));
  return writes.map(({ document }) => document._id);
}

/** Ten chained records, and a day that is over: its head is signed. */
async function closedDay() {
  await record(10);
  await chain();
  world.clock.advance(24 * 60 * 60 * 1_000);
  await chain();
}

describe('the chain', () => {
  it('gives each record one place, in order, and verifies', async () => {
    await record(7);
    await chain();
    await record(5);
    await chain();
    const { fault, end } = await verify();
    expect([fault, end.sequence, await collection('audit_waiting').countDocuments()]).toEqual([null, 12, 0]);
  });

  it('a leader that goes on chains what comes later and signs each day that is over; at rest it looks at what waits alone', async () => {
    const { auditChain } = world.access;
    const lastHead = jest.spyOn(auditChain.chain, 'lastHead');
    const goOn = createAuditChaining(auditChain, key);
    const entries = () => collection('audit_chain').countDocuments();
    await record(3);
    await goOn(never);
    await goOn(never);
    lastHead.mockClear();
    expect([await goOn(never), await entries(), lastHead.mock.calls]).toEqual([[], 3, []]);
    await record(2);
    await goOn(never);
    world.clock.advance(24 * 60 * 60 * 1_000);
    const [head] = await goOn(never);
    expect([head?.sequence, await entries()]).toEqual([5, 5]);
    await record(1);
    await goOn(never);
    lastHead.mockRestore();
    expect((await verify()).fault).toBeNull();
  });

  it('two leaders at once give each record one place', async () => {
    const ids = await record(600);
    const { access } = await world.instance();
    await Promise.all([chain(), createAuditChaining(access.auditChain, key)(never), chain()]);
    await chain();
    expect((await verify()).fault).toBeNull();
    expect(await collection('audit_chain').countDocuments({ auditId: { $in: ids } })).toBe(600);
  });

  it('goes on after a leader that died at any write', async () => {
    await record(6);
    const { append } = world.access.auditChain.chain;
    for (const entriesKept of [false, true]) {
      const dying = { ...world.access.auditChain.chain };
      // Before the commit, or after it and before anybody heard.
      dying.append = async (entries, heads) => {
        if (entriesKept) await append(entries, heads);
        throw new Error('killed');
      };
      const died = createAuditChaining({ ...world.access.auditChain, chain: dying }, key)(never);
      await expect(died).rejects.toThrow('killed');
    }
    await chain();
    expect(await verify()).toMatchObject({ fault: null, end: { sequence: 6 } });
  });

  it('takes a record that commits after later ones', async () => {
    const [early] = await record(1);
    const late = await collection('audit').findOne({ _id: early });
    const mark = await collection('audit_waiting').findOne({ _id: early });
    await Promise.all(['audit', 'audit_waiting'].map((name) => collection(name).deleteMany({})));
    await record(3);
    await chain();
    await collection('audit').insertOne(late as never);
    await collection('audit_waiting').insertOne(mark as never);
    await chain();
    expect(await verify()).toMatchObject({ fault: null, end: { sequence: 4 } });
  });

  it('adopts the records of a release without a chain, once', async () => {
    await record(4);
    await collection('audit_waiting').deleteMany({});
    const { chain: kept } = world.access.auditChain;
    expect(await kept.adopt('sandbox')).toBe(4);
    await chain();
    expect(await kept.adopt('sandbox')).toBe(0);
    expect(await verify()).toMatchObject({ fault: null, end: { sequence: 4 } });
  });

  it('signs a head for each day that is over, also for days without a record', async () => {
    await record(2);
    await chain();
    world.clock.advance(3 * 24 * 60 * 60 * 1_000);
    expect(await chain()).toHaveLength(3);
    expect(await chain()).toHaveLength(0);
    expect(await verify()).toMatchObject({ fault: null, heads: 3 });
  });

  it('takes no part in the transaction of a change: changes at once do not meet', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ask(
          world.access,
          'mutation M($input: CreateClientInput!) { createClient(input: $input) { client { clientId } } }',
          {
            variables: { input: { family: 'GRAPH', label: `client ${index}` } },
          },
        ),
      ),
    );
    expect(answers.flatMap(({ codes }) => codes)).toEqual([]);
    await chain();
    expect((await verify()).end.sequence).toBe(20);
  });
});

/** As whoever administers the database itself. */
const unjudged = { bypassDocumentValidation: true } as const;

const tampering: [string, () => Promise<unknown>, RegExp][] = [
  [
    'a record that was altered',
    async () => collection('audit').updateOne({ _id: (await entryAt(4))?.['auditId'] }, { $set: { actor: 'nobody' } }),
    /^record [\w-]{36} \(entry 4\) was altered$/,
  ],
  [
    'a record that got one more member',
    async () =>
      collection('audit').updateOne({ _id: (await entryAt(5))?.['auditId'] }, { $set: { note: '' } }, unjudged),
    /^record [\w-]{36} \(entry 5\) was altered$/,
  ],
  [
    'a record that was deleted',
    async () => collection('audit').deleteOne({ _id: (await entryAt(3))?.['auditId'] }),
    /^record [\w-]{36} \(entry 3\) is missing$/,
  ],
  [
    'an entry that was deleted',
    () => collection('audit_chain').deleteOne({ sequence: 6 }),
    /^entry 6 of the chain is missing: entry 7 follows$/,
  ],
  [
    'entries that changed places',
    async () => {
      const [one, two] = [await entryAt(7), await entryAt(8)];
      await collection('audit_chain').updateOne({ _id: one?._id }, { $set: { sequence: 0 } });
      await collection('audit_chain').updateOne({ _id: two?._id }, { $set: { sequence: 7 } });
      await collection('audit_chain').updateOne({ _id: one?._id }, { $set: { sequence: 8 } });
    },
    /^entry 7 of the chain does not follow the one before: it was moved$/,
  ],
  [
    'an entry that was written anew',
    () => collection('audit_chain').updateOne({ sequence: 2 }, { $set: { recordHash: 'x' } }),
    /^entry 2 of the chain was altered: record/,
  ],
  [
    'a record that was inserted past the chain',
    async () => {
      const like = await collection('audit').findOne({});
      await collection('audit').insertOne({ ...like, _id: 'inserted' } as never);
    },
    /^record inserted stands beside the chain/,
  ],
  [
    'a record that was inserted with an entry that is in no order',
    async () => {
      const [like, entry] = [await collection('audit').findOne({}), await entryAt(1)];
      await collection('audit').insertOne({ ...like, _id: 'inserted' } as never);
      await collection('audit_chain').insertOne({ ...entry, _id: 'x', sequence: -1, auditId: 'inserted' } as never);
    },
    /^record inserted stands beside the chain/,
  ],
  [
    'a tail that was cut, with its records',
    async () => {
      const cut = await collection('audit_chain')
        .find({ sequence: { $gt: 8 } })
        .toArray();
      await collection('audit').deleteMany({ _id: { $in: cut.map((entry) => entry['auditId']) } });
      await collection('audit_chain').deleteMany({ sequence: { $gt: 8 } });
    },
    /^the head of [\d-]{10} names entry 10, and the chain ends at 8: entry 9 is missing$/,
  ],
  [
    'a head that was forged',
    () => collection('audit_heads').updateOne({}, { $set: { sequence: 9 } }),
    /^the head of [\d-]{10} is forged: none of the audit's keys signed it$/,
  ],
  [
    'a head that was removed',
    () => collection('audit_heads').deleteMany({}),
    /^the head of [\d-]{10} is missing: it was not signed, or it was removed$/,
  ],
];

describe('the verification names', () => {
  it.each(tampering)('%s', async (_what, tamper, sentence) => {
    await closedDay();
    expect((await verify()).fault).toBeNull();
    await tamper();
    expect((await verify()).fault).toMatch(sentence);
  });

  it('a chain that was made anew after an alteration: the signed head is of another', async () => {
    await closedDay();
    const altered = (await entryAt(4))?.['auditId'];
    await collection('audit').updateOne({ _id: altered }, { $set: { actor: 'nobody' } });
    const heads = await collection('audit_heads').find().toArray();
    await Promise.all(['audit_chain', 'audit_heads'].map((name) => collection(name).deleteMany({})));
    await world.access.auditChain.chain.adopt('sandbox');
    await chain();
    await collection('audit_heads').insertMany(heads as never);
    expect((await verify()).fault).toMatch(/^the head of [\d-]{10} was signed for another entry 10/);
  });

  it('a head that a stranger signed', async () => {
    await closedDay();
    const strangers = readAuditPublicKeys(auditPublicKey(randomBytes(32).toString('base64')));
    expect((await verify({ keys: strangers })).fault).toMatch(/is forged/);
  });

  it('a tail that was cut on the day itself, for whoever noted the end', async () => {
    await record(5);
    await chain();
    const { end } = await verify();
    const last = await entryAt(5);
    await collection('audit').deleteOne({ _id: last?.['auditId'] });
    await collection('audit_chain').deleteOne({ sequence: 5 });
    expect((await verify()).fault).toBeNull();
    expect((await verify({ expected: end })).fault).toMatch(/^the end that was noted names entry 5/);
  });

  it('a record that is not chained in time, and one that was removed before', async () => {
    const [waiting] = await record(1);
    expect((await verify()).fault).toBe(`record ${waiting} is not chained after 0.2 s`);
    await collection('audit').deleteMany({});
    expect((await verify()).fault).toBe(`record ${waiting} was removed before it was chained`);
  });
});
