// Acts in bulk as people meet them: who may begin, hold and end a job, and who sees it.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { type JobWorld, openJobWorld, payments } from './job-world';
import { viewer } from './world';

let world: JobWorld;
beforeAll(async () => {
  world = await openJobWorld();
});
afterAll(() => world.closeAll());
afterEach(() => world.endAll());

test('held, let go on, ended: by whoever has the right to the act', async () => {
  const graph = payments();
  const jobId = await world.begun({ act: 'REFUND_PAYMENT', ids: ['p1'] });
  expect((await world.move('pauseJob', jobId, viewer)).code).toBe('forbidden');
  expect((await world.move('pauseJob', jobId)).data.pauseJob.state).toBe('PAUSED');
  expect((await world.move('pauseJob', jobId)).data.pauseJob.state).toBe('PAUSED');
  await world.carryOut(graph.execute);
  expect(graph.done.size).toBe(0);
  expect((await world.read(jobId)).actions).toEqual([
    { action: 'PAUSE', allowed: false },
    { action: 'RESUME', allowed: true },
    { action: 'CANCEL', allowed: true },
  ]);
  const stale = { ...world.olga, authTime: new Date(0) };
  const reasons = '{ job(jobId: "ID") { actions { action allowed reason { code } } } }';
  expect((await world.ask(reasons.replace('ID', jobId), {}, stale)).data.job.actions[1]).toEqual({
    action: 'RESUME',
    allowed: false,
    reason: { code: 'freshSignInNeeded' },
  });
  expect((await world.move('resumeJob', jobId, stale)).code).toBe('freshSignInNeeded');
  expect((await world.move('resumeJob', jobId)).data.resumeJob.state).toBe('RUNNING');
  expect((await world.move('cancelJob', jobId)).data.cancelJob.state).toBe('CANCELLED');
  expect((await world.move('resumeJob', jobId)).code).toBe('invalidState');
  await world.carryOut(graph.execute);
  expect(await world.report(jobId)).toEqual([['p1', 'WAITING', null]]);
});

test('a tenant sees and ends its own jobs, and those of nobody else', async () => {
  const [tom, eve] = [await world.signedIn('tom', 'alpha'), { ...viewer, accountId: 'beta', credentialId: 'eve' }];
  const [own, staffs] = [
    await world.begun({ act: 'REDELIVER_CALLBACK', ids: ['c1'] }, tom),
    await world.begun({ act: 'REDELIVER_CALLBACK', ids: ['c1'] }),
  ];
  expect((await world.read(own, tom))?.jobId).toBe(own);
  expect((await world.read(own))?.jobId).toBe(own);
  expect([await world.read(own, eve), await world.read(staffs, tom)]).toEqual([null, null]);
  expect((await world.move('cancelJob', staffs, tom)).code).toBe('notFound');
  const listed = async (caller: Caller) =>
    (await world.ask('{ jobs { edges { node { jobId } } } }', {}, caller)).data.jobs.edges.map(
      ({ node }: { node: { jobId: string } }) => node.jobId,
    );
  expect(await listed(tom)).toContain(own);
  expect(await listed(tom)).not.toContain(staffs);
  expect(await listed(eve)).toEqual([]);
});

test.each([
  ['CAPTURE_PAYMENT', 'Payment', 'paymentId'],
  ['REFUND_PAYMENT', 'Payment', 'paymentId'],
  ['VOID_PAYMENT', 'Payment', 'paymentId'],
  ['REDELIVER_CALLBACK', 'Callback', 'callbackId'],
  ['ABANDON_APPLICATION', 'OnboardingApplication', 'id'],
  ['RESEND_ACTIVATION', 'OnboardingApplication', 'id'],
  ['DEACTIVATE_MERCHANT', 'Merchant', 'merchantId'],
])('a row of %s leads to its %s', async (act, type, key) => {
  const jobId = await world.begun({ act, ids: ['one', 'two'] });
  const subject = `subject { __typename ... on ${type} { ${key} } }`;
  const asked = `{ job(jobId: "${jobId}") { rows(first: 2) { edges { node { ${subject} } } } } }`;
  const { data, code } = await world.ask(asked, {}, world.olga);
  expect(code).toBeNull();
  const subjects = data.job.rows.edges.map(({ node }: { node: { subject: object } }) => node.subject);
  expect(subjects).toEqual([
    { __typename: type, [key]: 'one' },
    { __typename: type, [key]: 'two' },
  ]);
});

test('two moves in one request: each answers with what it has made of the job', async () => {
  const jobId = await world.begun({ act: 'REFUND_PAYMENT', ids: ['p1'] });
  const both = 'mutation ($jobId: ID!) { a: pauseJob(jobId: $jobId) { state } b: resumeJob(jobId: $jobId) { state } }';
  expect((await world.ask(both, { jobId }, world.olga)).data).toEqual({
    a: { state: 'PAUSED' },
    b: { state: 'RUNNING' },
  });
});

test.each([
  ['no right at all', { act: 'REFUND_PAYMENT', ids: ['p1'] }, () => viewer, 'forbidden'],
  [
    'the right to another act',
    { act: 'REFUND_PAYMENT', ids: ['p1'] },
    () => world.signedIn('tom', 'alpha'),
    'forbidden',
  ],
  [
    'a sign-in of long ago',
    { act: 'REFUND_PAYMENT', ids: ['p1'] },
    () => ({ ...world.olga, authTime: new Date(0) }),
    'freshSignInNeeded',
  ],
  [
    'a selection that ends before it begins',
    {
      act: 'REDELIVER_CALLBACK',
      callbacks: { since: '2026-11-02T00:00:00Z', until: '2026-11-01T00:00:00Z' },
    },
    () => world.olga,
    'timesReversed',
  ],
  [
    'a selection that begins after the job',
    { act: 'REDELIVER_CALLBACK', callbacks: { since: '2999-01-01T00:00:00Z' } },
    () => world.olga,
    'timesReversed',
  ],
  ['no reason', { act: 'REFUND_PAYMENT', ids: ['p1'], reason: ' ' }, () => world.olga, 'invalidInput'],
  ['nothing to do', { act: 'REFUND_PAYMENT', ids: [] }, () => world.olga, 'invalidInput'],
  ['neither ids nor a selection', { act: 'REFUND_PAYMENT' }, () => world.olga, 'invalidInput'],
  [
    'too many ids',
    { act: 'REFUND_PAYMENT', ids: Array.from({ length: 4_001 }, String) },
    () => world.olga,
    'invalidInput',
  ],
  [
    'an amount for what takes none',
    { act: 'VOID_PAYMENT', ids: ['p'], amounts: [{ id: 'p', amount: '1' }] },
    () => world.olga,
    'invalidInput',
  ],
  [
    'an amount of nothing named',
    { act: 'REFUND_PAYMENT', ids: ['p'], amounts: [{ id: 'q', amount: '1' }] },
    () => world.olga,
    'invalidInput',
  ],
  [
    'no amount at all',
    { act: 'REFUND_PAYMENT', ids: ['p'], amounts: [{ id: 'p', amount: '-1' }] },
    () => world.olga,
    'amountInvalid',
  ],
  [
    'an amount of zero',
    { act: 'REFUND_PAYMENT', ids: ['p'], amounts: [{ id: 'p', amount: '0' }] },
    () => world.olga,
    'amountInvalid',
  ],
  [
    'two amounts of one',
    {
      act: 'REFUND_PAYMENT',
      ids: ['p'],
      amounts: [
        { id: 'p', amount: '1' },
        { id: 'p', amount: '2' },
      ],
    },
    () => world.olga,
    'invalidInput',
  ],
  [
    'callbacks for what is not sent',
    { act: 'VOID_PAYMENT', callbacks: { since: '2026-11-01T00:00:00Z' } },
    () => world.olga,
    'invalidInput',
  ],
])('is not begun with %s', async (_with, input, by, code) => {
  expect((await world.start(input, await by())).code).toBe(code);
});
