// The merchant of an approved application and the numbers of merchants: made once, however often and from however many places it is asked for (decision register 2.3-A, Numbers).
import { systemCaller } from '../../subgraphs/shared/callers/caller';
import { newId } from '../../subgraphs/shared/ids';
import { run } from '../tokenization/calls';
import { openDomains, openWorld, type World } from '../tokenization/world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const wanted = (change: object = {}) =>
  ({
    environment: 'sandbox',
    accountId: 'alpha',
    applicationId: newId(),
    merchantId: newId().replaceAll('-', ''),
    name: 'Nordlys',
    orgNumber: '12345674',
    vatNumber: null,
    country: 'DK',
    currency: 'DKK',
    origins: ['https://nordlys.example', 'https://nordlys.example/shop', 'http://nordlys.example', 'nordlys'],
    ...change,
  }) as Parameters<World['merchants']['provisionMerchant']>[0];
const provision = (input: ReturnType<typeof wanted>) => world.merchants.provisionMerchant(input, newId());

async function made(input: ReturnType<typeof wanted>) {
  const { merchantNumber } = await provision(input);
  const merchant = await world.merchants.readMerchantByNumber('sandbox', merchantNumber);
  if (!merchant) throw new Error('no merchant was made');
  return merchant;
}
const move = (merchantId: string, also: string) =>
  run<object>(
    world,
    `mutation { updateMerchant(merchantId: "${merchantId}", input: { merchantCity: "Oslo"${also} }) { merchantCity } }`,
    { caller: world.staff, subgraph: 'merchants' },
  );

test('a merchant with its number, its details and a terminal that takes orders', async () => {
  const input = wanted();
  const { merchantNumber, terminalId } = await provision(input);
  const { origins, ...facts } = input;
  expect(await world.merchants.readMerchantByNumber('sandbox', merchantNumber)).toMatchObject({
    ...facts,
    status: 'ACTIVE',
    invoicing: 'ENABLED',
    merchantNumber,
    deletion: null,
    agreementIds: [],
  });
  expect(await world.merchants.readTerminal('sandbox', terminalId)).toMatchObject({
    accountId: 'alpha',
    merchantId: input.merchantId,
    status: 'ACTIVE',
    captureType: 'EXPLICIT',
    origins: origins.slice(0, 1),
    currencies: ['DKK', 'EUR', 'USD', 'SEK', 'NOK'],
  });
  expect(await world.merchants.readMerchantByNumber('production', merchantNumber)).toBeNull();
  expect(await world.merchants.readMerchantByNumber('sandbox', 1_999_999)).toBeNull();
});

test('what an application says of its company in another form than a merchant has is brought into that form', async () => {
  const named = { name: ` Nordlys\n Papir ${'æ'.repeat(150)}`, orgNumber: '1'.repeat(40), vatNumber: ' ' };
  const provisioned = await Promise.all([named, { name: ' \t', vatNumber: '' }].map((each) => made(wanted(each))));
  const name = `Nordlys Papir ${'æ'.repeat(86)}`;
  expect(provisioned).toMatchObject([
    { name, orgNumber: '1'.repeat(35), vatNumber: null },
    { name: '12345674', orgNumber: '12345674', vatNumber: null },
  ]);
  for (const { merchantId } of provisioned) expect((await move(merchantId, '')).code).toBeNull();
});

test('only what is said of a merchant is judged: what it was made with in a release before refuses no change', async () => {
  const { merchantId } = await made(wanted());
  const former = { name: 'æ'.repeat(150), vatNumber: '' };
  await world.stores.connection.collection('merchants').updateOne({ merchantId }, { $set: former });
  expect((await move(merchantId, '')).code).toBeNull();
  expect((await move(merchantId, ', vatNumber: ""')).code).toBe('invalidInput');
  const stored = await world.stores.connection.collection('merchants').findOne({ merchantId });
  expect(stored).toMatchObject({ ...former, merchantCity: 'Oslo' });
});

test('the same application gets the same answer, also from two processes at once, and nothing twice', async () => {
  const input = wanted();
  const other = await openDomains(world.ground);
  const asked = Array.from({ length: 8 }, (_, index) =>
    (index % 2 ? other : world).merchants.provisionMerchant(input, newId()),
  );
  const answers = [...(await Promise.all(asked)), await provision({ ...input, name: 'Renamed since' })];
  await other.committer.drain();
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  const { merchantId } = input;
  for (const collection of ['merchants', 'terminals'])
    expect(await world.stores.connection.collection(collection).countDocuments({ merchantId })).toBe(1);
  const records = await world.stores.connection.collection('audit').find({ subjectId: merchantId }).toArray();
  expect(records.map(({ action }) => action)).toEqual(['merchant.created']);
  expect(records[0]?.['changes']).toContainEqual({ field: 'applicationId', from: null, to: input.applicationId });
});

test.each([
  ["another application's", {}],
  ["another account's", { accountId: 'beta' }],
])('%s merchantId is refused', async (_whose, change) => {
  const input = wanted();
  await provision(input);
  const again = wanted({ merchantId: input.merchantId, ...change });
  await expect(provision(again)).rejects.toMatchObject({ code: 'merchantExists' });
  await expect(provision({ ...input, ...change, applicationId: newId() })).rejects.toMatchObject({
    code: 'merchantExists',
  });
});

test.each([
  ['merchantId', 'a b'],
  ['merchantId', 'x'.repeat(36)],
  ['country', 'DNK'],
  ['currency', 'ABC'],
])('%s %j is refused', async (field, value) => {
  await expect(provision(wanted({ [field]: value }))).rejects.toMatchObject({
    code: 'invalidInput',
    details: { field },
  });
});

test.each([0, -5])('a merchant is not numbered %d by hand: no report could be asked by it', async (merchantNumber) => {
  const merchantId = `m-${newId().slice(0, 8)}`;
  const byHand = `mutation { createMerchant(input: { accountId: "alpha", merchantId: "${merchantId}", merchantNumber: ${merchantNumber}, name: "By hand" }) { merchantNumber } }`;
  expect((await run(world, byHand, { caller: world.staff, subgraph: 'merchants' })).code).toBe('invalidInput');
  expect(await world.stores.connection.collection('merchants').countDocuments({ merchantId })).toBe(0);
});

test('numbers go up, are taken once, and go past those given by hand', async () => {
  const numbers = (await Promise.all(Array.from({ length: 12 }, () => provision(wanted())))).map(
    ({ merchantNumber }) => merchantNumber,
  );
  expect(new Set(numbers).size).toBe(12);
  const highest = Math.max(...numbers);
  const byHand = `mutation { createMerchant(input: { accountId: "alpha", merchantId: "m-${newId().slice(0, 8)}", merchantNumber: ${highest + 1}, name: "By hand" }) { merchantNumber } }`;
  const staff = { ...systemCaller('sandbox', 'staff'), kind: 'client', scopes: ['graph:admin'] } as const;
  const { data } = await run(world, byHand, { caller: staff, subgraph: 'merchants' });
  expect(data).toEqual({ createMerchant: { merchantNumber: highest + 1 } });
  expect((await provision(wanted())).merchantNumber).toBe(highest + 2);
  const again = await run(world, byHand.replace('m-', 'n-'), { caller: staff, subgraph: 'merchants' });
  expect(again.code).toBe('conflict');
});
