// The approval saga: merchant, number and terminal once, however often a step fails or its process dies; who may decide, and what is written down (onboarding interface; 2.3-B of the decision register).
import { newId, slotOfOrderedId } from '../../subgraphs/shared/ids';
import { slotOf } from '../../subgraphs/shared/store/slot';
import { application, type OnboardingWorld, openOnboarding } from './world';

let world: OnboardingWorld;
beforeAll(async () => {
  world = await openOnboarding();
});
afterEach(() => {
  world.faults.beforeCommit = world.faults.afterCommit = world.faults.inMerchants = () => undefined;
});
afterAll(() => world.close());

const decide = (field: string, id: string, reason: string | null, caller = world.staff) =>
  world.run(
    `mutation ($id: ID!, $reason: String!) { answer: ${field}(id: $id, reason: $reason) { status reason merchant { merchantId } } }`,
    { variables: { id, reason }, caller },
  );
const approve = (id: string, caller = world.staff) => world.approve(id, 'all in order', caller);
const update = (id: string, changes: object) =>
  world.run(
    'mutation ($id: ID!, $application: JSONObject!) { answer: updateOnboarding(id: $id, application: $application) { status } }',
    { variables: { id, application: application(changes) } },
  );
const stored = (id: string) =>
  world.stores.connection.collection('onboarding_applications').findOne({ _id: id as never });
const signed = async (changes: object = {}) => {
  const made = await world.created(changes);
  await world.lever(made.id, 'OPEN', 'SIGN');
  return made;
};
const approvals = async (id: string) => (await world.events(id)).filter(({ type }) => type === 'onboarding.approved');

test('makes the merchant as the application says, and tells what fees and payouts are made from', async () => {
  const quote = { documentNo: 'Q', currency: 'DKK', signon: 0, subscription: 0, paymentOptions: [] };
  const bankAccount = { iban: 'DK5000400440116243', swift: 'NDEADKKK' };
  const webhook = { eventName: 'onboarding.approved', url: 'https://partner.example/h', authorization: 'secret12' };
  const { id, merchantId } = await signed({
    quote,
    bankAccount,
    webshop: { url: 'https://shop.example:8443/da?x=1', name: 'Shop' },
    company: { organizationNumber: '25 31 37 63', vatNumber: 'DK1', companyName: 'Nordlys ApS' },
    notifications: { webhooks: [webhook] },
  });
  const { data } = await approve(id);
  const merchantNumber = 100_000 + Number(id);
  expect(data).toEqual({
    status: 'APPROVED',
    merchantNumber: String(merchantNumber),
    merchant: { merchantId },
    approval: { by: 'key-second', reason: 'all in order', step: 'PROVISIONED' },
  });
  expect(world.provisioned.get(id)?.merchant).toEqual({
    environment: 'sandbox',
    accountId: 'alpha',
    applicationId: id,
    merchantId,
    name: 'Nordlys ApS',
    orgNumber: '25 31 37 63',
    vatNumber: 'DK1',
    country: 'DK',
    currency: 'DKK',
    origins: ['https://shop.example:8443'],
  });
  const [event] = await approvals(id);
  expect(event?.data).toMatchObject({ merchantId, merchantNumber, quote, bankAccount, currency: 'DKK' });
  expect(event?.data['webhooks']).toMatchObject([{ url: webhook.url }]);
});

/** As they are asked for one after the other, each of another slot than the first of its row. */
test.each([[['once-a', 'once-b']], [['twice-a', 'twice-b', 'twice-c']], [['back-a', 'back-b', 'back-a']]])(
  'an application that is %j by turns stays in its slot of the log; what was agreed is told in its merchant’s',
  async (names) => {
    const bankAccount = { iban: 'DK5000400440116243', swift: 'NDEADKKK' };
    const [first = '', last = ''] = [names[0], names.at(-1)];
    const slots = names.map((merchantId) => slotOf({ merchantId, accountId: 'alpha' }));
    expect(slots[1]).not.toBe(slots[0]);
    const { id } = await world.created({ merchantId: first });
    for (const merchantId of names.slice(1)) await update(id, { merchantId, bankAccount });
    await world.lever(id, 'OPEN', 'SIGN');
    await approve(id);
    const events = await world.events(id);
    expect(events.map(({ merchantId }) => merchantId)).toEqual([first, last, last, last]);
    expect(events.map(({ _id, slot }) => [slotOfOrderedId(_id), slot])).toEqual(events.map(() => [slots[0], slots[0]]));
    const ofMerchant = { merchantId: last, type: { $in: ['onboarding.approved', 'ledger.termsAgreed'] } };
    const told = await world.stores.connection.collection('events').find(ofMerchant).toArray();
    const [agreed, ...more] = told.filter(({ data }) => data.bankAccount);
    expect(agreed).toMatchObject({ slot: slots.at(-1), data: { quote: null, bankAccount, currency: 'DKK' } });
    expect(more).toEqual([]);
  },
);

test.each<[string, object, string, string[]]>([
  ['SWE', { company: { organizationNumber: '5560360793' }, webshop: { name: 'Butik' } }, 'Butik', []],
  ['NOR', { company: { organizationNumber: '923609016' }, webshop: { url: 'http://shop.example' } }, '923609016', []],
  [
    'GRL',
    { company: { organizationNumber: '12345678' }, webshop: { url: 'http://localhost:8083/x' } },
    '12345678',
    ['http://localhost:8083'],
  ],
])('of %s: its name and origins', async (country, changes, name, origins) => {
  const { id } = await signed({ country, ...changes });
  await approve(id);
  expect(world.provisioned.get(id)?.merchant).toMatchObject({
    name,
    origins,
    country: { SWE: 'SE', NOR: 'NO', GRL: 'GL' }[country],
  });
});

test('by staff alone, of what is signed alone', async () => {
  const { id } = await signed();
  expect((await approve(id, world.alpha)).code).toBe('forbidden');
  expect((await decide('refuseOnboarding', id, 'no', world.alpha)).code).toBe('forbidden');
  const fresh = await world.created();
  expect((await approve(fresh.id)).code).toBe('applicationStatusInvalid');
  expect((await approve('0')).code).toBe('notFound');
  await approve(id);
  expect((await approve(id)).code).toBe('applicationStatusInvalid');
  expect((await decide('refuseOnboarding', id, 'too late')).code).toBe('applicationStatusInvalid');
});

test('of fees that a merchant can pay alone: neither staff nor the lever of the sandbox approves others', async () => {
  const fee = { paymentActionType: 'CHARGE', feeType: 'AMT', unitPrice: 10_001, priceVAT: 0, itemType: 'TRANS' };
  const method = { paymentMethodProvider: 'PROVIDER_CODE_1', optional: false, selected: true, fees: [fee] };
  const paymentOptions = [{ itemNo: '1', paymentType: 'CARD', paymentMethods: [method] }];
  const quote = { documentNo: 'Q', currency: 'DKK', signon: 0, subscription: 0, paymentOptions };
  const { id } = await signed({ quote });
  expect(await approve(id)).toMatchObject({ code: 'invalidData', field: 'quote.paymentOptions' });
  await expect(world.lever(id, 'APPROVE')).rejects.toThrow();
  expect(await stored(id)).toMatchObject({ status: 'PROCESSING', approval: null });
  expect((await decide('refuseOnboarding', id, 'too dear')).data).toMatchObject({ status: 'ABANDONED' });
});

test.each([
  ['refuseOnboarding', ['OPEN', 'SIGN'], ['OPEN']],
  ['abandonOnboarding', ['OPEN'], ['OPEN', 'SIGN']],
])('%s ends it with the reason, which is audited', async (field, before, elsewhere) => {
  const { id, merchantId } = await world.created();
  await world.lever(id, ...before);
  expect((await decide(field, id, '  ')).field).toBe('reason');
  expect((await decide(field, id, 'no papers')).data).toEqual({
    status: 'ABANDONED',
    reason: 'no papers',
    merchant: null,
  });
  const [record] = await world.stores.connection.collection('audit').find({ subjectId: id }).toArray();
  expect(record).toMatchObject({ action: 'onboarding.abandoned', actor: 'key-null', accountId: 'alpha' });
  expect((await world.events(id)).at(-1)?.data).toMatchObject({ status: 'ABANDONED', reason: 'no papers', merchantId });
  const other = await world.created();
  await world.lever(other.id, ...elsewhere);
  expect((await decide(field, other.id, 'no')).code).toBe('applicationStatusInvalid');
});

test('a merchantId that somebody took meanwhile ends the application with that reason', async () => {
  const { id, merchantId } = await signed();
  world.taken.add(merchantId);
  expect((await approve(id)).data).toMatchObject({ status: 'ABANDONED', merchantNumber: null, merchant: null });
  expect((await stored(id))?.['reason']).toBe('The merchantId was taken by somebody else.');
});

class Killed extends Error {}

/** Dies at the nth call of one kind; everything after it is another process. */
function dyingAt(hook: 'beforeCommit' | 'afterCommit' | 'inMerchants', nth: number): void {
  let calls = 0;
  world.faults[hook] = () => {
    calls += 1;
    if (calls === nth) throw new Killed(`${hook} ${nth}`);
  };
}

describe('when the process dies', () => {
  it.each([
    ['before it is written down', 'beforeCommit', 1, 'PROCESSING'],
    ['after it was written down', 'afterCommit', 1, 'APPROVED'],
    ['while the merchant is made', 'inMerchants', 1, 'APPROVED'],
    ['after the merchant was made', 'beforeCommit', 2, 'APPROVED'],
    ['after that was written down', 'afterCommit', 2, 'APPROVED'],
    ['before the approval', 'beforeCommit', 3, 'APPROVED'],
    ['after the approval', 'afterCommit', 3, 'APPROVED'],
  ] as const)('%s, the janitor goes on and nothing happens twice', async (_when, hook, nth, status) => {
    const { id } = await signed();
    dyingAt(hook, nth);
    expect((await approve(id)).code).toBe('internal');
    world.faults[hook] = () => undefined;
    await Promise.all([world.onboarding.resumeApprovals(), world.onboarding.resumeApprovals()]);
    expect((await stored(id))?.['status']).toBe(status);
    if (status === 'PROCESSING') await approve(id);
    expect(await approvals(id)).toHaveLength(1);
    expect((await world.events(id)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect((await stored(id))?.['merchantNumber']).toBe(100_000 + Number(id));
    const audit = world.stores.connection.collection('audit');
    expect(await audit.countDocuments({ subjectId: id, action: 'onboarding.approvalRequested' })).toBe(1);
    expect(await audit.countDocuments({ subjectId: id, action: 'proposal.confirmed' })).toBe(1);
  });

  it('and merchants cannot serve, it stays under way until they can', async () => {
    const { id } = await signed();
    dyingAt('inMerchants', 1);
    await approve(id);
    expect((await decide('refuseOnboarding', id, 'changed my mind')).code).toBe('applicationStatusInvalid');
    dyingAt('inMerchants', 1);
    await expect(world.onboarding.resumeApprovals()).rejects.toThrow(Killed);
    await world.onboarding.resumeApprovals();
    expect((await stored(id))?.['status']).toBe('APPROVED');
    expect(await world.onboarding.resumeApprovals()).toBe(0);
  });
});

test('sixteen approvals at once, with keys of their own, make one merchant and one event', async () => {
  const { id } = await signed();
  const answers = await Promise.all(Array.from({ length: 16 }, () => approve(id)));
  expect(answers.some(({ data }) => data?.status === 'APPROVED')).toBe(true);
  expect(answers.every(({ code }) => code === null || code === 'applicationStatusInvalid')).toBe(true);
  expect(await approvals(id)).toHaveLength(1);
});

test('the janitor looks for approvals under way alone, not at what waits for staff', async () => {
  const plan = await world.stores.connection
    .collection('onboarding_applications')
    .find({ environment: 'sandbox', status: 'PROCESSING', 'approval.step': { $in: ['REQUESTED', 'PROVISIONED'] } })
    .sort({ touchedAt: 1 })
    .explain('queryPlanner');
  expect(JSON.stringify(plan['queryPlanner'].winningPlan)).toContain('"indexName":"approvals_under_way"');
});

test('a repeated proposal with its key gets the first answer', async () => {
  const { id } = await signed();
  const idempotency = { key: newId(), scope: 'graph', fingerprint: 'a' };
  const source = 'mutation ($id: ID!) { answer: approveOnboarding(id: $id) { proposal { proposalId } } }';
  const ask = () => world.run(source, { variables: { id }, caller: world.staff, idempotency });
  const first = await ask();
  expect(first).toMatchObject({ code: null, replayed: false });
  expect(await ask()).toEqual({ ...first, replayed: true });
  expect(await world.stores.connection.collection('proposals').countDocuments({ subjectId: id })).toBe(1);
});

describe('when the process dies after the decision and before the answer is kept', () => {
  const keyed = (field: string, id: string, fingerprint: string, key: string) =>
    world.run(`mutation ($id: ID!) { answer: ${field}(id: $id, reason: "no papers") { status } }`, {
      variables: { id },
      caller: world.staff,
      idempotency: { key, scope: 'graph', fingerprint },
    });
  it.each([
    ['refuseOnboarding', ['OPEN', 'SIGN']],
    ['abandonOnboarding', ['OPEN']],
  ])('%s has committed its answer with the decision', async (field, before) => {
    const { id } = await world.created();
    await world.lever(id, ...before);
    const [fingerprint, key] = [newId(), newId()];
    dyingAt('afterCommit', 1);
    expect((await keyed(field, id, fingerprint, key)).code).toBe('internal');
    world.faults.afterCommit = () => undefined;
    expect(await keyed(field, id, fingerprint, key)).toMatchObject({ data: { status: 'ABANDONED' }, replayed: true });
  });
});

test('a merchant finds its application, and nobody else’s', async () => {
  const { id, merchantId } = await signed();
  await approve(id);
  const source = `query { _entities(representations: [{ __typename: "Merchant", merchantId: "${merchantId}" }]) { ... on Merchant { onboardingApplication { id country } } } }`;
  const ask = async (caller = world.alpha) =>
    (await world.run(source.replace('_entities', 'answer: _entities'), { caller })).data;
  expect(await ask()).toEqual([{ onboardingApplication: { id, country: application().country } }]);
  expect(await ask(world.beta)).toEqual([{ onboardingApplication: null }]);
});
