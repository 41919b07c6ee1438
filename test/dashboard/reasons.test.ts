// Acts on one thing that ask why, on the real platform: nothing is sent without a word, and the word stands in the audit.
import { accessibilityFaults } from '../browser/looks';
import { administrationOf, merchantBody } from '../support/administration';
import { newOrderId, openInbox } from '../support/checkout';
import { onboardingOf } from '../support/onboarding';
import { graph } from '../support/partner';
import { startWorld } from '../support/world';
import { atDashboard, paid } from './visit';

// A program of its own: a person is signed out everywhere, also where other tests are at work.
const visit = atDashboard({ person: 'sam', start: startWorld });
const { act, drawer, dialog } = visit;

/** In the open dialog: without a word nothing is sent, with one it is. */
async function sayWhy(confirm: string, reason: string): Promise<void> {
  await dialog().getByRole('button', { name: confirm }).click();
  await dialog().getByText('Say why').waitFor();
  await dialog().getByLabel('Reason').fill(reason);
  await dialog().getByRole('button', { name: confirm }).click();
}

/** As the audit has them, newest first. */
async function reasonsOf(subjectId: string): Promise<string[]> {
  const query = `query ($subjectId: ID) { auditRecords(subjectId: $subjectId) { edges { node { changes { field to } } } } }`;
  const { data } = await graph(visit.world, query, { subjectId });
  const records: { node: { changes: { field: string; to: string }[] } }[] = data.auditRecords.edges;
  return records.flatMap(({ node }) => node.changes.filter(({ field }) => field === 'reason').map(({ to }) => to));
}

act('a callback is found by its payment, and sent again', async () => {
  const { page } = visit;
  const inbox = openInbox(visit.world);
  const { path } = await paid(visit.world, 'implicit', { notificationUrl: inbox.url });
  await inbox.atLeast(2);
  await visit.as('sam', path);
  await drawer().getByRole('link', { name: 'Payment notification' }).first().click();
  await drawer().getByRole('button', { name: 'Send again' }).click();
  const callbackId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await dialog().waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await sayWhy('Send again', 'The shop lost it');
  await page.getByText('On its way again').waitFor();
  await drawer().getByText('by hand').waitFor();
  expect(await reasonsOf(callbackId)).toEqual(['The shop lost it']);
});

act(
  'a merchant takes no more payments for a reason, and takes them again by the message that tells of it',
  async () => {
    const { page } = visit;
    const body = merchantBody({ merchantId: `stopped-${newOrderId()}` });
    expect((await administrationOf(visit.world, 'alpha').create(body)).status).toBe(201);
    await visit.as('ada', `/merchants/${body.merchantId}`);
    await drawer().getByRole('button', { name: 'Deactivate' }).first().click();
    await sayWhy('Deactivate', 'It never sent goods');
    await drawer().getByText('Inactive', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Activated', { exact: true }).waitFor();
    expect(await reasonsOf(body.merchantId)).toEqual(['Undo', 'It never sent goods']);
  },
);

act('a terminal takes no more payments, and a key ends, for a reason', async () => {
  const { page } = visit;
  const { merchantId, ...body } = merchantBody({ merchantId: `held-${newOrderId()}` });
  expect((await administrationOf(visit.world, 'alpha').create({ merchantId, ...body })).status).toBe(201);
  const terminalId = `till-${newOrderId()}`.slice(0, 36);
  const make = `mutation ($m: ID!, $input: CreateTerminalInput!) {
    createApiKey(merchantId: $m, label: "Reports", kind: MERCHANT) { keyId }
    createTerminal(input: $input) { terminalId } }`;
  const input = { merchantId, terminalId, label: 'Till', origins: ['https://shop.example'] };
  const { data } = await graph(visit.world, make, { m: merchantId, input });
  await visit.as('ada', `/merchants/${merchantId}`);
  const row = drawer().getByRole('listitem').filter({ hasText: 'Reports' });
  await row.getByRole('button', { name: 'Revoke' }).click();
  await sayWhy('Revoke', 'Nobody uses it');
  await row.getByText('Revoked', { exact: true }).waitFor();
  expect(await reasonsOf(data.createApiKey.keyId)).toEqual(['Nobody uses it']);

  const place = drawer()
    .locator('div')
    .filter({ hasText: 'Till' })
    .filter({ has: page.getByRole('button') })
    .last();
  await place.getByRole('button', { name: 'Deactivate' }).click();
  await sayWhy('Deactivate', 'The till is broken');
  await place.getByText('Inactive', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await place.getByText('Active', { exact: true }).waitFor();
  expect(await reasonsOf(terminalId)).toEqual(['Undo', 'The till is broken']);
});

act('a person is signed out everywhere for a reason', async () => {
  const { page } = visit;
  await visit.as('vera', '/');
  const { data } = await graph(visit.world, '{ people(first: 100) { edges { node { personId name } } } }');
  const all: { node: { personId: string; name: string } }[] = data.people.edges;
  const vera = all.find(({ node }) => node.name.startsWith('Vera'))?.node.personId ?? '';
  await visit.as('ada', `/people?person=${vera}`);
  await drawer().getByRole('button', { name: 'Sign out everywhere' }).click();
  await sayWhy('Sign out everywhere', 'A lost laptop');
  await page.getByText('Signed out everywhere', { exact: true }).waitFor();
  expect(await reasonsOf(vera)).toContain('A lost laptop');
});

act('a merchant gets its link again for a reason', async () => {
  const { body } = await onboardingOf(visit.world).create({ company: { organizationNumber: '25313763' } });
  await visit.as('olga', `/onboarding/${body.id}`);
  await drawer().getByRole('button', { name: 'Send the link again' }).click();
  await sayWhy('Send the link again', 'It was not received');
  await dialog().getByRole('button', { name: 'I have kept it' }).click();
  expect(await reasonsOf(String(body.id))).toEqual(['It was not received']);
});

act('a secret is rotated with a reason; refused, it can be sent once more', async () => {
  const { page } = visit;
  const { data } = await graph(
    visit.world,
    '{ callbackEndpoints(first: 100) { edges { node { endpointId secrets { secretId } } } } }',
  );
  const endpoints: { node: { endpointId: string; secrets: object[] } }[] = data.callbackEndpoints.edges;
  const endpointId = endpoints.find(({ node }) => node.secrets.length > 0)?.node.endpointId;
  // The secrets of this visit.world are everybody's: what is sent is looked at, and goes no further.
  const sent: string[] = [];
  await page.route('**/graphql', async (route) => {
    const { operationName, variables } = JSON.parse(route.request().postData() ?? '{}');
    if (operationName !== 'RotateCallbackSecret') return route.fallback();
    sent.push(variables.reason);
    return route.fulfill({
      json: { data: null, errors: [{ message: 'Too many requests.', extensions: { code: 'rateLimited' } }] },
    });
  });
  await visit.as('ada', `/callbacks/endpoints/${endpointId}`);
  await drawer().getByRole('button', { name: 'Rotate the secret' }).click();
  await sayWhy('Rotate the secret', 'It was in a mail');
  await dialog().getByText('Too many requests.').first().waitFor();
  expect(sent).toEqual(['It was in a mail']);
  expect(await dialog().getByLabel('Reason').inputValue()).toBe('It was in a mail');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

act('a dialog that the browser closes by itself is closed, and opens again', async () => {
  const { page } = visit;
  await visit.as('ada', `/merchants/${visit.world.credentials.tenants.beta.merchantId}`);
  const opens = drawer().getByRole('button', { name: 'Deactivate' }).first();
  for (const _ of [1, 2]) {
    await opens.click();
    await dialog().evaluate((element) => (element as unknown as { close(): void }).close());
    await page.waitForURL((url) => !url.searchParams.has('act'));
  }
});

act('a booking comes back whole from a new sign-in, for the merchant that it was begun for', async () => {
  const { page, world } = visit;
  // Of nobody that was chosen: whose days are shown first, by what is owed, may be another one then.
  await visit.as('olga', '/payouts/days');
  await page.getByRole('button', { name: 'Book an entry' }).click();
  const title = await dialog().getByRole('heading').textContent();
  const typed = { Kind: 'chargeback', Currency: 'DKK', Amount: '25', Reason: 'The payer never got it' };
  await dialog().getByLabel('Kind').selectOption(typed.Kind);
  await dialog().getByLabel('Currency').selectOption(typed.Currency);
  for (const label of ['Amount', 'Reason'] as const)
    await dialog().getByLabel(label, { exact: true }).fill(typed[label]);
  const stale = { data: null, errors: [{ message: 'Too long ago.', extensions: { code: 'freshSignInNeeded' } }] };
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('BookChargeback') ? route.fulfill({ json: stale }) : route.fallback(),
  );
  await dialog().getByRole('button', { name: 'Propose' }).click();
  await dialog().getByRole('link', { name: 'Sign in again' }).click();
  await page.getByRole('button', { name: /Olga Operator/ }).click();
  await dialog().waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  expect(await dialog().getByRole('heading').textContent()).toBe(title);
  expect(Object.values(world.credentials.tenants).map(({ merchantId }) => merchantId)).toContain(
    new URL(page.url()).searchParams.get('merchantId'),
  );
  for (const [label, value] of Object.entries(typed))
    expect([label, await dialog().getByLabel(label, { exact: true }).inputValue()]).toEqual([label, value]);
  // Left, it is forgotten.
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Book an entry' }).click();
  for (const [label, value] of Object.entries({ Kind: 'adjustment', Currency: 'EUR', Amount: '', Reason: '' }))
    expect([label, await dialog().getByLabel(label, { exact: true }).inputValue()]).toEqual([label, value]);
});
