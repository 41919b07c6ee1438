// Acts in bulk, carried out: every row once whatever dies, in the name of whoever began the job and with the rights that are left.
import { eventually } from '../support/stores';
import { type JobWorld, openJobWorld, payment, payments, refused } from './job-world';
import { admin } from './world';

let world: JobWorld;
beforeAll(async () => {
  world = await openJobWorld();
});
afterAll(() => world.closeAll());
afterEach(() => world.endAll());

test('each row is done once, with its amount, in the name of whoever began it, and the report tells what came of it', async () => {
  const graph = payments((_operation, id) =>
    id === 'p3' ? { data: { found: payment('REFUND', 'alreadyRefunded') } } : undefined,
  );
  const ids = ['p1', 'p2', 'p1', 'x', 'p3', 'p4'];
  const amounts = [
    { id: 'p2', amount: '300' },
    { id: 'p4', amount: '1001' },
  ];
  const { job } = await world.start({ act: 'REFUND_PAYMENT', ids, amounts });
  expect(job).toMatchObject({ state: 'RUNNING', total: 5, done: 0, startedBy: world.olga.credentialId });
  await world.carryOut(graph.execute);
  expect(await world.read(job.jobId)).toMatchObject({
    state: 'DONE',
    done: 5,
    succeeded: 2,
    failed: 3,
    sums: [{ currency: 'EUR', amount: '1300', money: { minor: '1300', currency: 'EUR' } }],
    refusals: [
      { code: 'alreadyRefunded', count: 1 },
      { code: 'amountAboveCaptured', count: 1 },
      { code: 'notFound', count: 1 },
    ],
    rows: {
      edges: [
        { node: { number: 1, key: 'p1', outcome: 'SUCCEEDED', amount: '1000', operationId: `of ${job.jobId}:1` } },
        { node: { number: 2, key: 'p2', outcome: 'SUCCEEDED', money: { minor: '300', currency: 'EUR' } } },
        { node: { number: 3, key: 'x', outcome: 'FAILED', code: 'notFound', money: null } },
        { node: { number: 4, key: 'p3', outcome: 'FAILED', code: 'alreadyRefunded' } },
        { node: { number: 5, key: 'p4', outcome: 'FAILED', code: 'amountAboveCaptured' } },
      ],
    },
  });
  expect([...graph.done.values()]).toEqual([
    { id: 'charge', amount: null, reason: 'case 7' },
    { id: 'charge', amount: '300', reason: 'case 7' },
  ]);
  expect(new Set(graph.callers.map(({ credentialId }) => credentialId))).toEqual(new Set([world.olga.credentialId]));
  const audited = await world.connection.collection('audit').find({ subjectId: job.jobId }).toArray();
  expect(audited.map(({ action, actor }) => [action, actor])).toEqual([['job.started', world.olga.credentialId]]);
});

test('a refusal that only another release has a name for is told as one without', async () => {
  const graph = payments(() => ({ data: { found: payment('REFUND', 'lentToAFriend') } }));
  const jobId = await world.begun({ act: 'REFUND_PAYMENT', ids: ['p1'] });
  await world.carryOut(graph.execute);
  expect(await world.read(jobId)).toMatchObject({
    refusals: [{ code: 'generic', message: 'it is lentToAFriend', count: 1 }],
    rows: { edges: [{ node: { key: 'p1', outcome: 'FAILED', code: 'generic' } }] },
  });
});

test('a dry run tells what would happen, and does nothing', async () => {
  const graph = payments((_operation, id) =>
    id === 'p2' ? { data: { found: payment('REFUND', 'invalidState') } } : undefined,
  );
  const late = { ...world.olga, authTime: new Date(0) };
  const jobId = await world.begun({ act: 'REFUND_PAYMENT', ids: ['p1', 'p2'], dryRun: true }, late);
  await world.carryOut(graph.execute);
  expect(await world.read(jobId)).toMatchObject({ state: 'DONE', dryRun: true, succeeded: 1, failed: 1 });
  expect(await world.report(jobId)).toEqual([
    ['p1', 'SUCCEEDED', null],
    ['p2', 'FAILED', 'invalidState'],
  ]);
  expect(graph.done.size).toBe(0);
});

test('a dry run of captures counts the fee of the page, which the first one takes along', async () => {
  const found = (capturedAmount: string) => {
    const { operations, ...rest } = payment('CAPTURE');
    const [, charge] = operations.edges;
    const node = { ...charge?.node, additionalData: { fee: '150' } };
    return { ...rest, authorizedAmount: '5150', capturedAmount, operations: { edges: [{ node }] } };
  };
  const graph = payments((_operation, id) => ({ data: { found: found(id === 'p3' ? '1150' : '0') } }));
  const amounts = Object.entries({ p1: '5000', p2: '5001', p3: '4000' }).map(([id, amount]) => ({ id, amount }));
  const ids = ['p1', 'p2', 'p3', 'p4'];
  const jobId = await world.begun({ act: 'CAPTURE_PAYMENT', ids, amounts, dryRun: true });
  await world.carryOut(graph.execute);
  const { edges } = (await world.read(jobId)).rows;
  expect(edges.map(({ node }: { node: { amount: string; code: string } }) => [node.amount, node.code])).toEqual([
    ['5150', null],
    [null, 'amountAboveAuthorized'],
    ['4000', null],
    ['5150', null],
  ]);
});

test('a process that dies in the middle is followed by another, and nothing is done twice', async () => {
  const dead = new Promise<never>(() => undefined);
  // The third refund is made, and its answer never heard: so are the two beside it.
  const first = payments((operation, key) => (operation === 'RefundInJob' && /:[345]$/.test(key) ? dead : undefined));
  const ids = Array.from({ length: 30 }, (_, index) => `p${index}`);
  const jobId = await world.begun({ act: 'REFUND_PAYMENT', ids });
  void world.carryOut(first.execute);
  while (![3, 4, 5].every((number) => first.done.has(`${jobId}:${number}`)))
    await new Promise((next) => setTimeout(next, 5));
  expect(await world.read(jobId)).toMatchObject({ state: 'RUNNING', done: 0 });

  const { access } = await world.instance();
  await world.carryOut(first.execute, access);
  expect(await world.read(jobId)).toMatchObject({ state: 'RUNNING', done: 0 });
  await world.endClaims();
  const second = payments();
  for (const [key, variables] of first.done) second.done.set(key, variables);
  const looked: string[] = [];
  const execute: typeof second.execute = (operation, variables, context) => {
    if (operation === 'LookAtPaymentOfJob') looked.push(String(variables['id']));
    return second.execute(operation, variables, context);
  };
  await world.carryOut(execute, access);
  expect(await world.read(jobId)).toMatchObject({ state: 'DONE', succeeded: 30, failed: 0 });
  expect(second.done.size).toBe(30);
  // What was begun is asked again for its outcome, and not judged by a state that it has changed itself.
  expect(looked).toEqual(ids.slice(20));
});

test('two processes carry jobs out beside each other, each its own, and let go of what they stop', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => `p${index}`);
  const jobIds = [await world.begun({ act: 'REFUND_PAYMENT', ids })];
  const { access } = await world.instance();
  const stopping = new AbortController();
  const doneBy = { one: new Set<string>(), two: new Set<string>() };
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  const noting = (process: Set<string>, until?: Promise<void>) =>
    payments(async (operation, key) => {
      if (operation !== 'RefundInJob') return undefined;
      process.add(key.split(':')[0] ?? '');
      await until;
      return undefined;
    });
  const one = world.access.carryOutJobs(noting(doneBy.one, held).execute, stopping.signal);
  await eventually(() => doneBy.one.size === 1);
  jobIds.push(await world.begun({ act: 'REFUND_PAYMENT', ids }));
  expect(await world.carryOut(noting(doneBy.two).execute, access)).toBe(1);
  expect(await Promise.all(jobIds.map(async (jobId) => (await world.read(jobId)).state))).toEqual(['RUNNING', 'DONE']);
  stopping.abort();
  go();
  expect(await one).toBe(1);
  expect([[...doneBy.one], [...doneBy.two]]).toEqual([[jobIds[0]], [jobIds[1]]]);
  expect(await world.read(jobIds[0] ?? '')).toMatchObject({ state: 'RUNNING', done: 20 });
  // Without waiting for the end of a claim.
  expect(await world.carryOut(noting(doneBy.two).execute, access)).toBe(1);
  expect(await world.read(jobIds[0] ?? '')).toMatchObject({ state: 'DONE', succeeded: 30 });
});

test('whose claim went to another process meanwhile takes no further step', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => `p${index}`);
  const jobId = await world.begun({ act: 'REFUND_PAYMENT', ids });
  const taken = payments(async (operation, key) => {
    if (operation === 'RefundInJob' && key.endsWith(':1'))
      await world.connection
        .collection('jobs')
        .updateOne({ _id: jobId as never }, { $set: { claimedUntil: new Date(Date.now() + 60_000) } });
    return undefined;
  });
  await world.carryOut(taken.execute);
  expect(await world.read(jobId)).toMatchObject({ state: 'RUNNING', done: 20 });
  expect(await world.carryOut(taken.execute)).toBe(0);
  await world.endClaims();
  await world.carryOut(payments().execute);
  expect(await world.read(jobId)).toMatchObject({ state: 'DONE', succeeded: 30 });
});

test('a job whose step fails is left alone for a while, and keeps no other', async () => {
  const failing = await world.begun({ act: 'REFUND_PAYMENT', ids: ['p-broken'] });
  const other = await world.begun({ act: 'REFUND_PAYMENT', ids: ['p1'] });
  let failures = 0;
  const graph = payments((operation, id) => {
    if (operation !== 'LookAtPaymentOfJob' || id !== 'p-broken') return undefined;
    failures += 1;
    throw new Error('the graph is away');
  });
  await expect(world.carryOut(graph.execute)).rejects.toThrow('the graph is away');
  expect(failures).toBe(1);
  expect(await world.read(other)).toMatchObject({ state: 'DONE', succeeded: 1 });
  expect(await world.carryOut(graph.execute)).toBe(0);
  await world.endClaims();
  await world.carryOut(payments().execute);
  expect(await world.read(failing)).toMatchObject({ state: 'DONE', succeeded: 1 });
});

test('who began it and is locked out meanwhile does nothing more', async () => {
  const pia = await world.signedIn('pia', 'ops');
  const graph = payments(async (operation, key) => {
    if (operation === 'RefundInJob' && key.endsWith(':1'))
      await world.ask(
        'mutation ($personId: ID!) { setPersonStatus(personId: $personId, status: DISABLED) { status } }',
        { personId: pia.credentialId.slice('person:'.length) },
        admin,
      );
    return undefined;
  });
  const ids = Array.from({ length: 25 }, (_, index) => `p${index}`);
  const jobId = await world.begun({ act: 'REFUND_PAYMENT', ids }, pia);
  await world.carryOut(graph.execute);
  expect(await world.read(jobId)).toMatchObject({ state: 'DONE', succeeded: 20, failed: 5 });
  expect((await world.report(jobId)).at(-1)).toEqual(['p24', 'FAILED', 'forbidden']);
});

test('a client acts with the scopes of its token that it still has', async () => {
  const graph = payments();
  const jobId = await world.begun({ act: 'REFUND_PAYMENT', ids: ['p1'] }, admin);
  await world.connection
    .collection('clients')
    .updateOne({ _id: 'graph-admin' as never }, { $set: { scopes: ['graph:read'] } });
  await world.carryOut(graph.execute);
  expect(await world.report(jobId)).toEqual([['p1', 'FAILED', 'forbidden']]);
  expect(graph.done.size).toBe(0);
});

test('what is away for a while holds the job up, is told, and changes no outcome', async () => {
  let isAway = true;
  const graph = payments((operation) => (operation === 'RefundInJob' && isAway ? refused('unavailable') : undefined));
  const jobId = await world.begun({ act: 'REFUND_PAYMENT', ids: ['p1'] });
  const stopping = new AbortController();
  const running = world.access.carryOutJobs(graph.execute, stopping.signal);
  while ((await world.read(jobId)).hindrance === null) await new Promise((next) => setTimeout(next, 20));
  stopping.abort();
  await running;
  expect(await world.read(jobId)).toMatchObject({ state: 'RUNNING', done: 0, hindrance: 'it is unavailable' });
  isAway = false;
  await world.carryOut(graph.execute);
  expect(await world.read(jobId)).toMatchObject({ state: 'DONE', succeeded: 1, hindrance: null });
});

test.each([
  ['PENDING', 'UNKNOWN', 'outcomeUnknown'],
  ['DECLINED', 'FAILED', 'declined'],
])('an operation %s is %s', async (operationResult, outcome, code) => {
  const answer = {
    data: {
      done: { operationId: 'o', operation: { operationResult, operationAmount: '1', operationCurrency: 'EUR' } },
    },
  };
  const graph = payments((operation) => (operation === 'RefundInJob' ? answer : undefined));
  const jobId = await world.begun({ act: 'REFUND_PAYMENT', ids: ['p1'] });
  await world.carryOut(graph.execute);
  expect(await world.report(jobId)).toEqual([['p1', outcome, code]]);
});

test('what was begun so long ago that its key may be forgotten is not done again', async () => {
  const graph = payments();
  const jobId = await world.begun({ act: 'REFUND_PAYMENT', ids: ['p1'] });
  const attemptedAt = new Date(world.clock.now().getTime() - 20 * 3_600_000);
  await world.connection.collection('job_rows').updateOne({ jobId }, { $set: { target: 'charge', attemptedAt } });
  await world.carryOut(graph.execute);
  expect(await world.report(jobId)).toEqual([['p1', 'UNKNOWN', 'outcomeUnknown']]);
  expect(graph.done.size).toBe(0);
});
