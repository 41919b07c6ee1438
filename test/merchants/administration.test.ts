// Administration inside the domain (merchant administration; decision register 2.3-A): what staff change, agreements, and a deletion that is finished whoever dies on the way.
import { localSubgraph } from '../../gateway/subgraphs/local-subgraph';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { silentLog } from '../gateway/fixture';
import { schemaOf } from '../support/subgraph';
import { run } from '../tokenization/calls';
import { openDomains, openWorld, type World } from '../tokenization/world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const consumer = (accountId: string): Caller => ({
  kind: 'apiKey',
  credentialId: `consumer-${accountId}`,
  environment: 'sandbox',
  accountId,
  scopes: ['administration'],
  identifiers: [],
});
// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of what it asked for
type Asked = { [field: string]: any };
async function ask(source: string, variables: Record<string, unknown>, caller = world.staff) {
  const { data, code } = await run<Asked>(world, source, { caller, subgraph: 'merchants', variables });
  return { data: data ?? {}, code };
}
const add = 'mutation ($input: AdministeredMerchantInput!) { addMerchant(input: $input) { merchantId } }';
const update = `mutation ($id: ID!, $input: UpdateMerchantInput!) { updateMerchant(merchantId: $id, input: $input) {
  name status invoicing country orgNumber merchantCity updatedBy } }`;
const remove = 'mutation ($id: ID!) { deleteMerchant(merchantId: $id, userId: "closing") { status deletedAt } }';
const input = (change: object = {}) => ({
  merchantId: `m-${newId().slice(0, 13)}`,
  name: 'Nordlys',
  status: 'ACTIVE',
  merchantCity: 'Oslo',
  country: 'NO',
  createdBy: 'back office',
  updatedBy: 'back office',
  ...change,
});
async function added(): Promise<string> {
  const wanted = input();
  expect((await ask(add, { input: wanted }, consumer('alpha'))).code).toBeNull();
  return wanted.merchantId;
}

describe('staff', () => {
  test('change what they say, and nothing else', async () => {
    const id = await added();
    const same = { name: 'Nordlys', status: 'ACTIVE', invoicing: 'ENABLED', country: 'NO', orgNumber: null };
    const all = { ...same, merchantCity: 'Oslo', updatedBy: 'back office' };
    expect((await ask(update, { id, input: { orgNumber: '1', name: null } })).data.updateMerchant).toEqual({
      ...all,
      orgNumber: '1',
    });
    const { data } = await ask(update, { id, input: { merchantCity: null, orgNumber: null, invoicing: 'DISABLED' } });
    expect(data.updateMerchant).toEqual({ ...all, merchantCity: null, invoicing: 'DISABLED' });
  });

  test('erase nothing by a variable that they leave out', async () => {
    const source = `mutation ($id: ID!, $name: String, $vat: String, $city: String) { updateMerchant(
      merchantId: $id, input: { name: $name, vatNumber: $vat, merchantCity: $city }) { name vatNumber merchantCity } }`;
    const changed = localSubgraph('merchants', await schemaOf(world.merchants), silentLog).prepare(source, undefined);
    const change = async (variables: Record<string, unknown>) =>
      (await changed(variables, requestContext(world.staff, newId()))).data?.['updateMerchant'];
    const id = await added();
    const all = { name: 'Nordlys', vatNumber: 'NO1', merchantCity: 'Oslo' };
    expect(await change({ id, vat: 'NO1' })).toEqual(all);
    expect(await change({ id, name: 'Sydlys' })).toEqual({ ...all, name: 'Sydlys' });
    expect(await change({ id, city: null })).toEqual({ ...all, name: 'Sydlys', merchantCity: null });
  });

  test.each([
    ['a name of blanks', { name: ' ' }, 'invalidInput'],
    ['a name of two lines', { name: 'a\nb' }, 'invalidInput'],
    ['an MCC of three', { merchantCategoryCode: '573' }, 'invalidInput'],
    ['a country that is none', { country: 'XX' }, 'invalidData'],
    ['a prefix that is too long', { prefix: 'p'.repeat(36) }, 'invalidInput'],
  ])('do not make it %s', async (_what, change, code) => {
    expect((await ask(update, { id: await added(), input: change })).code).toBe(code);
    expect(
      (await ask(add, { input: input({ ...change, name: 'name' in change ? ' ' : 'Good' }) }, consumer('alpha'))).code,
    ).toBe(code);
  });

  test('make no merchant through administration, which has an account', async () => {
    expect((await ask(add, { input: input() })).code).toBe('forbidden');
    const staffWithScope: Caller = { ...world.staff, scopes: ['administration'] };
    expect((await ask(add, { input: input() }, staffWithScope)).code).toBe('forbidden');
  });

  test.each(['updatedBy', 'createdBy'])('and callers alike say who they are: %s', async (field) => {
    expect((await ask(add, { input: input({ [field]: '  ' }) }, consumer('alpha'))).code).toBe('invalidInput');
  });
});

test('whoever changes a merchant is kept without the card number in its name', async () => {
  const replace = `mutation ($id: ID!, $input: AdministeredMerchantInput!) {
    replaceMerchant(merchantId: $id, input: $input) { merchantCity createdBy updatedBy } }`;
  const id = await added();
  const card = '4242424242424242';
  const change = { merchantId: id, merchantCity: `c ${card}`, createdBy: `a ${card}`, updatedBy: `b ${card}` };
  const { data } = await ask(replace, { id, input: input(change) }, consumer('alpha'));
  const masked = '************4242';
  // Who made it was said when it was made.
  const kept = { merchantCity: `c ${masked}`, createdBy: 'back office', updatedBy: `b ${masked}` };
  expect(data.replaceMerchant).toEqual(kept);
});

describe('agreements', () => {
  const create = `mutation ($input: CreateAgreementInput!) { createAgreement(input: $input) { agreementId acquirerId status schemes } }`;
  const wanted = (change: object = {}) => ({
    accountId: 'alpha',
    acquirerId: `a-${newId().slice(0, 8)}`,
    providerId: 'p',
    pspId: 's',
    ...change,
  });

  test('are made once for a triple, and merchants of the account enrolled under them', async () => {
    const triple = wanted({ schemes: ['VISA'] });
    const { agreementId, ...made } = (await ask(create, { input: triple })).data.createAgreement;
    expect(made).toEqual({ acquirerId: triple.acquirerId, status: 'ACTIVE', schemes: ['VISA'] });
    expect((await ask(create, { input: triple })).code).toBe('conflict');
    const enrol =
      'mutation ($m: ID!, $a: ID!) { enrolMerchant(merchantId: $m, agreementId: $a) { agreements { agreementId } } }';
    const { data } = await ask(enrol, { m: await added(), a: agreementId });
    expect(data.enrolMerchant.agreements).toEqual([{ agreementId }]);
    expect((await ask(create, { input: wanted() })).data.createAgreement.schemes).toHaveLength(3);
  });

  test.each([
    ['an identifier with a space', { pspId: 'a b' }, 'invalidInput'],
    ['an account that is not there', { accountId: 'nobody' }, 'notFound'],
  ])('are not made with %s', async (_what, change, code) => {
    expect((await ask(create, { input: wanted(change) })).code).toBe(code);
  });
});

describe('a deletion', () => {
  const readMerchant = (id: string) => world.merchants.readMerchant('sandbox', id);

  test('is finished by whoever comes next when the janitor dies halfway, and only once nothing is open', async () => {
    const id = await added();
    await ask(remove, { id });
    const ended: string[] = [];
    const dies = async (merchantId: string) => {
      ended.push(merchantId);
      throw new Error('killed');
    };
    await expect(world.merchants.endDeletedMerchants(dies)).rejects.toThrow('killed');
    const other = await openDomains(world.ground);
    const end = (open: number) => async (merchantId: string) => {
      ended.push(merchantId);
      return open;
    };
    expect(await other.merchants.endDeletedMerchants(end(1))).toBe(0);
    // Calls that began before the deletion may still open something.
    expect(await other.merchants.endDeletedMerchants(end(0))).toBe(0);
    world.clock.advance(15_000);
    expect(await other.merchants.endDeletedMerchants(end(2))).toBe(0);
    expect(await other.merchants.endDeletedMerchants(end(0))).toBe(1);
    expect(await world.merchants.endDeletedMerchants(dies)).toBe(0);
    await other.committer.drain();
    expect(ended).toEqual(Array(5).fill(id));
    expect((await readMerchant(id))?.deletion).toMatchObject({ userId: 'closing', isDone: true });
  });

  test('is finished once by two janitors at once, and left alone by one that comes again', async () => {
    const id = await added();
    await ask(remove, { id });
    world.clock.advance(15_000);
    const other = await openDomains(world.ground);
    const ended: string[] = [];
    const end = async (merchantId: string) => {
      ended.push(merchantId);
      return 0;
    };
    const both = [world, other].map(({ merchants }) => merchants.endDeletedMerchants(end));
    await Promise.all(both);
    const done = (await readMerchant(id))?.deletion;
    expect(done).toMatchObject({ isDone: true });
    expect(await world.merchants.endDeletedMerchants(end)).toBe(0);
    expect((await readMerchant(id))?.deletion).toEqual(done);
    expect(new Set(ended)).toEqual(new Set([id]));
    await other.committer.drain();
  });

  test('leaves the merchant to be read, and out of every change', async () => {
    const id = await added();
    expect((await ask(remove, { id })).data.deleteMerchant).toEqual({
      status: 'INACTIVE',
      deletedAt: expect.any(String),
    });
    for (const [source, variables] of [
      [remove, { id }],
      [update, { id, input: { name: 'Again' } }],
      ['mutation ($id: ID!) { setMerchantStatus(merchantId: $id, status: ACTIVE) { status } }', { id }],
      ['mutation ($id: ID!) { enrolMerchant(merchantId: $id, agreementId: "x") { status } }', { id }],
    ] as const) {
      expect((await ask(source, variables)).code).toBe('notFound');
    }
    expect((await ask('query ($id: ID!) { merchant(merchantId: $id) { name } }', { id })).data.merchant.name).toBe(
      'Nordlys',
    );
    expect((await ask(add, { input: input({ merchantId: id }) }, consumer('alpha'))).code).toBe('merchantExists');
  });

  test('is for the account of the key alone', async () => {
    const id = await added();
    expect((await ask(remove, { id }, consumer('beta'))).code).toBe('notFound');
    expect((await readMerchant(id))?.deletion).toBeNull();
  });
});
