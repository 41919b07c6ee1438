// Why a merchant was stopped, or let go on: in the trail for those who say it, read like every reason.
import { run } from '../tokenization/calls';
import { openWorld, type World } from '../tokenization/world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const merchantId = 'merchant-alpha-1';
const ask = <Data extends object>(field: string) =>
  run<Data>(world, `mutation { answer: ${field} }`, { caller: world.staff, subgraph: 'merchants' });
const set = (status: string, reason: string) =>
  ask(`setMerchantStatus(merchantId: "${merchantId}", status: ${status}${reason}) { status }`);
/** Under an agreement that was just made. */
async function enrol() {
  const triple = 'accountId: "alpha", acquirerId: "acquirer-7", providerId: "provider-7", pspId: "psp-7"';
  const agreement = `createAgreement(input: { ${triple} }) { agreementId }`;
  const { data } = await ask<{ answer: { agreementId: string } }>(agreement);
  return ask(`enrolMerchant(merchantId: "${merchantId}", agreementId: "${data?.answer.agreementId}") { status }`);
}
const changed = (from: string, to: string) => ({ field: 'status', from, to });

test('why a merchant was stopped stands in the trail, for those who say it', async () => {
  for (const [status, reason] of [
    ['INACTIVE', ', reason: " it never sent goods "'],
    ['ACTIVE', ', reason: null'],
    ['INACTIVE', ', reason: "  "'],
    ['ACTIVE', ''],
  ] as const)
    expect((await set(status, reason)).code).toBeNull();
  const action = 'merchant.statusChanged';
  const records = await world.stores.connection.collection('audit').find({ subjectId: merchantId, action }).toArray();
  expect(records.map(({ changes }) => changes)).toEqual([
    [changed('ACTIVE', 'INACTIVE'), { field: 'reason', from: null, to: 'it never sent goods' }],
    [changed('INACTIVE', 'ACTIVE')],
    [changed('ACTIVE', 'INACTIVE')],
    [changed('INACTIVE', 'ACTIVE')],
  ]);
});

test.each([
  ['stopped', () => set('INACTIVE', '')],
  ['let go on', () => set('ACTIVE', '')],
  ['enrolled', enrol],
])('a merchant that was %s was changed then', async (_how, act) => {
  const stored = () => world.stores.connection.collection('merchants').findOne({ merchantId });
  const before = await stored();
  world.clock.advance(60_000);
  expect((await act()).code).toBeNull();
  const after = await stored();
  expect(after?.['version']).toBe(before?.['version'] + 1);
  expect(after?.['updatedAt']).toEqual(world.clock.now());
});

test('a reason that is too long is refused, and nothing is changed', async () => {
  expect((await set('INACTIVE', `, reason: "${'x'.repeat(501)}"`)).code).toBe('invalidInput');
  expect(await world.stores.connection.collection('merchants').findOne({ merchantId })).toMatchObject({
    status: 'ACTIVE',
  });
  expect((await set('INACTIVE', `, reason: "${'x'.repeat(500)}"`)).code).toBeNull();
});
