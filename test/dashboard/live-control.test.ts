// Lists that live by what comes into the audit, and whose rows have their places: merchants with their terminals and keys, and people.
import { Browser, isBack } from '../people/browser';
import { administrationOf, merchantBody } from '../support/administration';
import { freshCardNumber } from '../support/partner';
import { askGraph } from '../support/reports';
import { eventually } from '../support/stores';
import { atDashboard, openLiveList } from './visit';

const visit = atDashboard({ person: 'ada' });
const { act } = visit;

const row = (id: string) => visit.page.getByRole('row').filter({ has: visit.page.locator(`a[href*="${id}"]`) });

const openList = (path: string) => openLiveList(visit, path);

async function newMerchant(name: string): Promise<string> {
  const body = merchantBody({ name });
  expect((await administrationOf(visit.world, 'beta').create(body)).status).toBe(201);
  return body.merchantId;
}

act('merchants: each new one takes its place, and changes where it stands', async () => {
  const name = `Live ${freshCardNumber().slice(-10)}`;
  await openList(`/merchants?text=${encodeURIComponent(name)}`);
  const [third, first, second] = [
    await newMerchant(`${name} c`),
    await newMerchant(`${name} A`),
    await newMerchant(`${name} b`),
  ];
  const ids = [first, second, third];
  for (const id of ids) await row(id).waitFor();
  const shown = await visit.page.getByRole('row').allTextContents();
  expect(shown.flatMap((text) => ids.filter((id) => text.includes(id)))).toEqual(ids);
  await askGraph(
    visit.world,
    'mutation ($id: ID!) { setMerchantStatus(merchantId: $id, status: INACTIVE) { status } }',
    {
      id: second,
    },
  );
  await row(second).getByText('Inactive', { exact: true }).waitFor();
});

act('a merchant that is looked at: its terminals and keys come by themselves', async () => {
  const merchantId = await newMerchant('Looked at');
  await visit.go(`/merchants/${merchantId}`);
  const drawer = visit.page.getByRole('complementary');
  await drawer.getByText('Looked at', { exact: true }).first().waitFor();
  const input = { merchantId, terminalId: `t-${merchantId}`, label: 'Till nine', origins: ['https://shop.example'] };
  await askGraph(
    visit.world,
    'mutation ($input: CreateTerminalInput!) { createTerminal(input: $input) { terminalId } }',
    {
      input,
    },
  );
  await drawer.getByText('Till nine', { exact: true }).waitFor();
  const { createApiKey } = await askGraph(
    visit.world,
    'mutation ($id: ID!) { createApiKey(merchantId: $id, label: "Key nine", kind: MERCHANT) { keyId } }',
    { id: merchantId },
  );
  const key = drawer.getByRole('listitem').filter({ hasText: 'Key nine' });
  await key.waitFor();
  await askGraph(visit.world, 'mutation ($id: ID!) { revokeApiKey(keyId: $id) { keyId } }', { id: createApiKey.keyId });
  await key.getByText('Revoked', { exact: true }).waitFor();
});

act('people: who signs in was last here then', async () => {
  const { signIn } = visit.world.credentials.people.find(({ role }) => role === 'tenant') ?? { signIn: '' };
  const enter = () => new Browser(new URL(visit.world.urls.dashboard).origin).open(signIn, isBack);
  await enter();
  await openList('/people');
  const tom = visit.page.getByRole('row').filter({ hasText: 'Tom' });
  const seen = () => tom.locator('time').last().getAttribute('datetime');
  const before = await seen();
  await enter();
  await eventually(async () => (await seen()) !== before);
});
