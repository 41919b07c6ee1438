// What payments remember of terminals and merchants: asked for once by many, and as it was changed in every process once the change is answered.
import type { Merchants } from '../../subgraphs/merchants';
import { newId } from '../../subgraphs/shared/ids';
import { run } from '../tokenization/calls';
import { openDomains, openWorld, type World } from '../tokenization/world';

const merchantId = 'merchant-alpha-1';

let world: World;
let other: Merchants;
beforeAll(async () => {
  world = await openWorld();
  other = (await openDomains(world.ground)).merchants;
});
afterAll(() => world?.close());

const change = async (mutation: string) => {
  const { code } = await run(world, `mutation { ${mutation} }`, { caller: world.staff, subgraph: 'merchants' });
  expect(code).toBeNull();
};
const created = async () => {
  const terminalId = `t-${newId().slice(0, 13)}`;
  const input = `merchantId: "${merchantId}", terminalId: "${terminalId}", label: "Shop", origins: ["https://shop.example"], methods: ["CARDS", "PAYPAL"]`;
  await change(`createTerminal(input: { ${input} }) { terminalId }`);
  return terminalId;
};

const changes: [string, (terminalId: string) => string, object, object][] = [
  [
    'a terminal that is switched off',
    (terminalId) => `setTerminalStatus(terminalId: "${terminalId}", status: INACTIVE) { status }`,
    { status: 'INACTIVE' },
    { status: 'ACTIVE' },
  ],
  [
    'a method that is taken away',
    (terminalId) => `setTerminalMethods(terminalId: "${terminalId}", methods: ["PAYPAL"]) { methods }`,
    { methods: [{ method: 'PAYPAL', circuits: ['PAYPAL'] }] },
    { status: 'ACTIVE' },
  ],
  [
    'a merchant that is switched off',
    () => `setMerchantStatus(merchantId: "${merchantId}", status: INACTIVE) { status }`,
    { status: 'INACTIVE' },
    { status: 'INACTIVE' },
  ],
];

test.each(changes)('%s is known in every process once it is answered', async (_what, mutation, terminal, merchant) => {
  const terminalId = await created();
  const told = ({ remembered }: Merchants) =>
    Promise.all([remembered.readTerminal('sandbox', terminalId), remembered.readMerchant('sandbox', merchantId)]);
  for (const process of [world.merchants, other])
    expect(await told(process)).toMatchObject([{ status: 'ACTIVE', methods: [{ method: 'CARDS' }, {}] }, {}]);
  await change(mutation(terminalId));
  for (const process of [other, world.merchants]) expect(await told(process)).toMatchObject([terminal, merchant]);
  await change(`setMerchantStatus(merchantId: "${merchantId}", status: ACTIVE) { status }`);
});

test('what there is not is not remembered', async () => {
  const terminalId = `t-${newId().slice(0, 13)}`;
  expect(await other.remembered.readTerminal('sandbox', terminalId)).toBeNull();
  await world.merchants.seedTerminal({
    accountId: 'alpha',
    merchantId,
    terminalId,
    label: 'Seeded',
    captureType: 'IMPLICIT',
    origins: ['https://shop.example'],
    methods: ['CARDS'],
  });
  expect(await other.remembered.readTerminal('sandbox', terminalId)).toMatchObject({ status: 'ACTIVE' });
  expect(await other.remembered.readTerminal('production', terminalId)).toBeNull();
});

test('many that ask one after the other cost the database one look', async () => {
  const terminalId = await created();
  const database = world.stores.connection.db;
  await database?.command({ profile: 2 });
  for (let count = 0; count < 50; count += 1) await other.remembered.readTerminal('sandbox', terminalId);
  await database?.command({ profile: 0 });
  const looks = await world.stores.connection
    .collection('system.profile')
    .countDocuments({ ns: /\.terminals$/, op: 'query' });
  expect(looks).toBeLessThan(5);
});
