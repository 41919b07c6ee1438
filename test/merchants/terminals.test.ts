// Terminals: what staff make and change, what each account sees, and the facts that a checkout asks for (hosted checkout; 2.2-B of the decision register).
import type { TerminalSeed } from '../../subgraphs/merchants';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { newId } from '../../subgraphs/shared/ids';
import { idempotencyKey, run } from '../tokenization/calls';
import { openWorld, type World } from '../tokenization/world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const ask = <Data = Record<string, never>>(
  source: string,
  caller: Caller = world.staff,
  idempotency?: ReturnType<typeof idempotencyKey>,
) => run<Data>(world, source, { caller, subgraph: 'merchants', idempotency });
const accountOf = (accountId: string): Caller => ({ ...world.staff, accountId });
const facts = (terminalId: string) => world.merchants.readTerminal('sandbox', terminalId);
const fields = 'terminalId label status captureType captureDelayHours origins methods currencies';

function create(changes: Record<string, string> = {}): { terminalId: string; source: string } {
  const terminalId = `t-${newId().slice(0, 13)}`;
  const members = {
    merchantId: '"merchant-alpha-1"',
    terminalId: `"${terminalId}"`,
    label: '"Web shop"',
    origins: '["https://shop.example"]',
    ...changes,
  };
  const input = Object.entries(members).map(([name, value]) => `${name}: ${value}`);
  return { terminalId, source: `mutation { createTerminal(input: { ${input.join(', ')} }) { ${fields} } }` };
}

async function created(changes: Record<string, string> = {}): Promise<string> {
  const { terminalId, source } = create(changes);
  const { code } = await ask(source);
  expect(code).toBeNull();
  return terminalId;
}

test('a terminal is made with the usual choices, and a checkout is told what it needs', async () => {
  const { terminalId, source } = create({ label: '"  Web shop "' });
  const { data } = await ask<{ createTerminal: object }>(source);
  const currencies = ['EUR', 'USD', 'DKK', 'SEK', 'NOK'];
  const chosen = {
    terminalId,
    captureType: 'EXPLICIT',
    captureDelayHours: 24,
    origins: ['https://shop.example'],
    currencies,
  };
  expect(data?.createTerminal).toEqual({ ...chosen, label: 'Web shop', status: 'ACTIVE', methods: ['CARDS'] });
  expect(await facts(terminalId)).toEqual({
    ...chosen,
    accountId: 'alpha',
    merchantId: 'merchant-alpha-1',
    status: 'ACTIVE',
    methods: [{ method: 'CARDS', circuits: ['VISA', 'MC', 'AMEX', 'DINERS', 'DISCOVER'] }],
  });
  expect(await world.stores.connection.collection('audit').findOne({ subjectId: terminalId })).toMatchObject({
    action: 'terminal.created',
    accountId: 'alpha',
  });
});

test('ways to pay are words of an enum, and one of a newer release is left out', async () => {
  const methods = ['CARDS', 'PAYPAL', 'MYBANK'];
  const terminalId = await created({ methods: JSON.stringify(methods) });
  const terminals = world.stores.connection.collection('terminals');
  const newer = { $set: { methods: [...methods, 'NEWER'] } };
  await terminals.updateOne({ terminalId }, newer, { bypassDocumentValidation: true });
  const source = `{ terminal(terminalId: "${terminalId}") { methods } __type(name: "PaymentService") { kind } }`;
  const { data } = await ask<{ terminal: object }>(source);
  expect(data).toEqual({ terminal: { methods }, __type: { kind: 'ENUM' } });
});

test.each<[string, Record<string, string>, string]>([
  ['without any letter', { terminalId: '""' }, 'invalidInput'],
  ['with an id that is too long', { terminalId: `"${'x'.repeat(37)}"` }, 'invalidInput'],
  ['with an id of another alphabet', { terminalId: '"a b"' }, 'invalidInput'],
  ['without a label', { label: '" "' }, 'invalidInput'],
  ['with a label that is too long', { label: `"${'x'.repeat(101)}"` }, 'invalidInput'],
  ['with an unknown method', { methods: '["CASH"]' }, 'invalidInput'],
  ['with a method that is a property of every object', { methods: '["constructor"]' }, 'invalidInput'],
  ['without methods', { methods: '[]' }, 'invalidInput'],
  ['with a delay that outlives the authorization', { captureDelayHours: '145' }, 'invalidInput'],
  ['with no delay', { captureDelayHours: '0' }, 'invalidInput'],
  ['for nobody', { merchantId: '"nobody"' }, 'notFound'],
  ...[
    'http://shop.example',
    'https://shop.example/',
    'https://SHOP.example',
    'https://user@shop.example',
    'shop.example',
    '*',
    'null',
    '',
  ].map((origin): [string, Record<string, string>, string] => [
    `with the origin ${origin}`,
    { origins: `["${origin}"]` },
    'invalidInput',
  ]),
])('no terminal %s', async (_what, changes, code) => {
  expect((await ask(create(changes).source)).code).toBe(code);
});

test('in the sandbox a loopback origin may be http', async () => {
  const terminalId = await created({
    origins: '["http://127.0.0.1:8083", "http://localhost:3000", "http://127.0.0.1:8083"]',
  });
  expect((await facts(terminalId))?.origins).toEqual(['http://127.0.0.1:8083', 'http://localhost:3000']);
});

test('a terminal id is taken once; a repetition under the same key makes no second one', async () => {
  const { terminalId, source } = create();
  const key = { ...idempotencyKey(`terminal-${terminalId}`, 'once'), scope: 'graph' };
  expect((await ask(source, world.staff, key)).code).toBeNull();
  expect((await ask(source, world.staff, key)).code).toBeNull();
  expect((await ask(source)).code).toBe('conflict');
  expect(await world.stores.connection.collection('terminals').countDocuments({ terminalId })).toBe(1);
});

test('origins, methods and the way to capture are replaced, each change with what was before', async () => {
  const terminalId = await created();
  const change = (mutation: string) => ask(`mutation { ${mutation} { ${fields} } }`);
  await change(`setTerminalOrigins(terminalId: "${terminalId}", origins: ["https://new.example"])`);
  await change(`setTerminalMethods(terminalId: "${terminalId}", methods: ["MYBANK", "CARDS", "CARDS"])`);
  await change(`setTerminalCaptureType(terminalId: "${terminalId}", captureType: DEFERRED, captureDelayHours: 48)`);
  expect(await facts(terminalId)).toMatchObject({
    origins: ['https://new.example'],
    captureType: 'DEFERRED',
    captureDelayHours: 48,
    methods: [{ method: 'CARDS' }, { method: 'MYBANK', circuits: ['MYBANK'] }],
  });
  await change(`setTerminalCaptureType(terminalId: "${terminalId}", captureType: IMPLICIT)`);
  expect(await facts(terminalId)).toMatchObject({ captureType: 'IMPLICIT', captureDelayHours: 48 });
  const records = await world.stores.connection.collection('audit').find({ subjectId: terminalId }).toArray();
  expect(records.flatMap(({ changes }) => changes)).toEqual(
    expect.arrayContaining([
      { field: 'origins', from: 'https://shop.example', to: 'https://new.example' },
      { field: 'captureType', from: 'EXPLICIT', to: 'DEFERRED' },
    ]),
  );
});

test('currencies and status are replaced too; an inactive terminal is said to be so', async () => {
  const terminalId = await created({ currencies: '["GBP"]' });
  const change = (mutation: string) => ask(`mutation { ${mutation} { ${fields} } }`);
  expect((await facts(terminalId))?.currencies).toEqual(['GBP']);
  await change(`setTerminalCurrencies(terminalId: "${terminalId}", currencies: ["JPY", "EUR", "JPY"])`);
  await change(`setTerminalStatus(terminalId: "${terminalId}", status: INACTIVE)`);
  expect(await facts(terminalId)).toMatchObject({ status: 'INACTIVE', currencies: ['JPY', 'EUR'] });
  await change(`setTerminalStatus(terminalId: "${terminalId}", status: ACTIVE)`);
  expect((await facts(terminalId))?.status).toBe('ACTIVE');
  const records = await world.stores.connection
    .collection('audit')
    .find({ subjectId: terminalId, action: 'terminal.changed' })
    .toArray();
  const changes = records.flatMap((record) => record['changes'] as object[]);
  const ordered = [...changes].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  expect(ordered).toEqual([
    { field: 'currencies', from: 'GBP', to: 'JPY,EUR' },
    { field: 'status', from: 'ACTIVE', to: 'INACTIVE' },
    { field: 'status', from: 'INACTIVE', to: 'ACTIVE' },
  ]);
});

test.each([
  ['none', '[]'],
  ['a code that is none', '["EUR", "EURO"]'],
  ['the code for tests', '["XTS"]'],
  ['one in lower case', '["eur"]'],
  ['a property of every object', '["constructor"]'],
])('currencies: %s is refused and changes nothing', async (_what, currencies) => {
  const terminalId = await created();
  const change = `mutation { setTerminalCurrencies(terminalId: "${terminalId}", currencies: ${currencies}) { status } }`;
  expect((await ask(change)).code).toBe('invalidInput');
  expect((await ask(create({ currencies }).source)).code).toBe('invalidInput');
  expect((await facts(terminalId))?.currencies).toEqual(['EUR', 'USD', 'DKK', 'SEK', 'NOK']);
});

test.each([
  ['setTerminalStatus', 'status: INACTIVE'],
  ['setTerminalCurrencies', 'currencies: ["EUR"]'],
])('%s is for staff', async (field, choice) => {
  const terminalId = await created();
  const change = `mutation { ${field}(terminalId: "${terminalId}", ${choice}) { terminalId } }`;
  expect((await ask(change, accountOf('beta'))).code).toBe('forbidden');
  expect((await ask(change, { ...world.staff, scopes: ['graph:read'] })).code).toBe('forbidden');
  expect((await ask(change.replace(terminalId, 'nobody'))).code).toBe('notFound');
  expect(await facts(terminalId)).toMatchObject({ status: 'ACTIVE' });
});

test('four changes at once all count, one after the other', async () => {
  const terminalId = await created();
  const changes = Array.from({ length: 4 }, (_, index) =>
    ask(
      `mutation { setTerminalOrigins(terminalId: "${terminalId}", origins: ["https://s${index}.example"]) { terminalId } }`,
    ),
  );
  for (const { code } of await Promise.all(changes)) expect(code).toBeNull();
  expect(await world.stores.connection.collection('terminals').findOne({ terminalId })).toMatchObject({ version: 5 });
});

describe('who sees and changes what', () => {
  test('an account its own, page by page of its merchant; foreign looks absent', async () => {
    const terminalId = await created();
    const one = `{ terminal(terminalId: "${terminalId}") { terminalId merchant { merchantId } } }`;
    const found = { terminal: { terminalId, merchant: { merchantId: 'merchant-alpha-1' } } };
    expect((await ask(one, accountOf('alpha'))).data).toEqual(found);
    expect((await ask(one, accountOf('beta'))).data).toEqual({ terminal: null });
    const list = '{ merchant(merchantId: "merchant-alpha-1") { terminals { terminalId } } }';
    const { data } = await ask<{ merchant: { terminals: { terminalId: string }[] } }>(list, accountOf('alpha'));
    const ids = data?.merchant.terminals.map((terminal) => terminal.terminalId) ?? [];
    expect(ids).toContain(terminalId);
    expect(ids).toEqual([...ids].sort());
    const change = `mutation { setTerminalMethods(terminalId: "${terminalId}", methods: ["CARDS"]) { terminalId } }`;
    expect((await ask(change, accountOf('beta'))).code).toBe('forbidden');
    expect((await ask(create().source, accountOf('beta'))).code).toBe('forbidden');
  });

  test.each([
    ['a viewer', () => ({ ...world.staff, scopes: ['graph:read'] as const }), 'forbidden'],
    ['a client of another family', () => world.alpha.caller, 'forbidden'],
    ['nobody', () => ({ ...world.staff, kind: 'anonymous' as const }), 'unauthenticated'],
  ])('%s makes none', async (_who, caller, code) => {
    expect((await ask(create().source, caller())).code).toBe(code);
  });
});

test('a terminal of an inactive merchant is inactive; there is none in another environment', async () => {
  const terminalId = await created();
  const status = (value: string) =>
    ask(`mutation { setMerchantStatus(merchantId: "merchant-alpha-1", status: ${value}) { status } }`);
  await status('INACTIVE');
  expect((await facts(terminalId))?.status).toBe('INACTIVE');
  await status('ACTIVE');
  expect((await facts(terminalId))?.status).toBe('ACTIVE');
  expect(await world.merchants.readTerminal('production', terminalId)).toBeNull();
  expect(await facts('nobody')).toBeNull();
});

test('seeding again keeps what was changed, and puts the present shop first', async () => {
  const seed: TerminalSeed = {
    accountId: 'alpha',
    merchantId: 'merchant-alpha-1',
    terminalId: 'terminal-seeded',
    label: 'Seeded',
    captureType: 'IMPLICIT',
    origins: ['http://127.0.0.1:1'],
    methods: ['CARDS', 'PAYPAL'],
  };
  const again = (origin: string) => world.merchants.seedTerminal({ ...seed, origins: [origin] });
  await again('http://127.0.0.1:1');
  await ask('mutation { setTerminalCaptureType(terminalId: "terminal-seeded", captureType: FILE) { terminalId } }');
  await again('http://127.0.0.1:2');
  await again('http://127.0.0.1:2');
  expect(await facts('terminal-seeded')).toMatchObject({
    captureType: 'FILE',
    origins: ['http://127.0.0.1:2', 'http://127.0.0.1:1'],
  });
});

describe('the currency and country of a merchant', () => {
  const createMerchant = (more: string) =>
    ask<{ createMerchant: object }>(
      `mutation { createMerchant(input: { accountId: "alpha", merchantId: "m-${newId().slice(0, 8)}", name: "Nine" ${more} }) { currency country } }`,
    );

  test('are the usual ones unless named', async () => {
    expect((await createMerchant('')).data?.createMerchant).toEqual({ currency: 'EUR', country: 'IT' });
    const named = await createMerchant(', currency: "SEK", country: "SE"');
    expect(named.data?.createMerchant).toEqual({ currency: 'SEK', country: 'SE' });
  });

  test.each([', currency: "EURO"', ', currency: "XYZ"', ', currency: "eur"', ', country: "ITA"', ', country: "it"'])(
    'are refused as %s',
    async (more) => {
      expect((await createMerchant(more)).code).toBe('invalidInput');
    },
  );

  test('a merchant from before it had them has the usual ones', async () => {
    const merchantId = 'merchant-beta-1';
    await world.stores.connection
      .collection('merchants')
      .updateOne({ merchantId }, { $unset: { currency: 1, country: 1 } });
    expect(await world.merchants.readMerchant('sandbox', merchantId)).toMatchObject({
      merchantId,
      accountId: 'beta',
      currency: 'EUR',
      country: 'IT',
    });
    expect(await world.merchants.readMerchant('production', merchantId)).toBeNull();
  });
});
