// What is open beside a list lives as the list does: others change it, and it says so at once, offers what can be done now and nothing that no longer can, also where the list does not have it.
import { accountExpiry } from '../support/expiry';
import { onboardingOf } from '../support/onboarding';
import { freshCardNumber, graph, partnerOf, sandboxCall } from '../support/partner';
import { askGraph } from '../support/reports';
import { atDashboard, paid } from './visit';

const visit = atDashboard({ person: 'ada' });
const { act, drawer, dialog } = visit;

const button = (name: string) => drawer().getByRole('button', { name, exact: true });

/** Opens it by its address; what happens from then on is told. */
async function opened(path: string): Promise<void> {
  await visit.go(path);
  await drawer().getByText('Timeline').or(drawer().getByText('Proposed by')).first().waitFor();
  await visit.page.getByRole('main').getByText('Live', { exact: true }).or(visit.page.locator('ol')).first().waitFor();
}

/** By somebody else, who takes a part. */
async function capture(paymentId: string, amount: string): Promise<void> {
  const { payment } = await askGraph(
    visit.world,
    'query ($id: ID!) { payment(paymentId: $id) { operations(first: 1) { edges { node { operationId } } } } }',
    { id: paymentId },
  );
  const { data } = await graph(
    visit.world,
    'mutation ($id: ID!, $input: PostOperationInput) { captureOperation(operationId: $id, input: $input) { operationId } }',
    { id: payment.operations.edges[0].node.operationId, input: { amount, currency: 'EUR', reason: 'By another' } },
  );
  expect(data.captureOperation.operationId).toEqual(expect.any(String));
}

async function proposed(): Promise<string> {
  const { createClient } = await askGraph(
    visit.world,
    'mutation ($input: CreateClientInput!) { createClient(input: $input) { client { clientId } } }',
    { input: { family: 'GRAPH', label: 'Drawers', scopes: ['graph:viewer'] } },
  );
  const { proposeClientScopes } = await askGraph(
    visit.world,
    'mutation ($id: ID!) { proposeClientScopes(clientId: $id, scopes: ["graph:operator"]) { proposal { proposalId } } }',
    { id: createClient.client.clientId },
  );
  return proposeClientScopes.proposal.proposalId;
}

const rejected = (id: string) =>
  askGraph(
    visit.world,
    'mutation ($id: ID!) { rejectProposal(proposalId: $id, reason: "Not now") { proposal { proposalId } } }',
    { id },
  );

/** Of which the list of beta's payments and tokens has none. */
const elsewhere = () => `?merchantId=${visit.world.credentials.tenants.beta.merchantId}`;

act('a payment that somebody else captures says so, and offers no void any more', async () => {
  const { paymentId, path } = await paid(visit.world, 'explicit');
  for (const search of ['', elsewhere()]) {
    const amount = search ? '2000' : '1000';
    await opened(path + search);
    if (!search) await button('Void').waitFor();
    await capture(paymentId, amount);
    await drawer()
      .getByText(`Capture EUR ${search ? '20' : '10'}.00`)
      .waitFor();
    await drawer().getByText('Partly captured').first().waitFor();
    await button('Refund').waitFor();
    expect(await button('Void').count()).toBe(0);
  }
});

act('what is typed into an open dialog stays, and it says that there is nothing left to be done', async () => {
  const { paymentId, path } = await paid(visit.world, 'explicit');
  await opened(path);
  await button('Void').click();
  await dialog().getByLabel('Reason').fill('The customer called');
  await capture(paymentId, '1000');
  await dialog().getByRole('alert').getByText('It is no longer in a state that allows this.').waitFor();
  expect(await dialog().getByLabel('Reason').inputValue()).toBe('The customer called');
  expect(await dialog().getByRole('button', { name: /^Void/ }).isDisabled()).toBe(true);
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await dialog().waitFor({ state: 'detached' });
  await drawer().getByText('Partly captured').first().waitFor();
});

act('a token that is suspended says so, wherever it was opened from, and its timeline grows', async () => {
  const { body } = await (await partnerOf(visit.world, 'alpha')).createToken({
    account: freshCardNumber(),
    accountExpiry,
    cvv: '123',
    name: 'Ada Lovelace',
  });
  const id: string = body.virtualAccountId;
  for (const [search, event, told] of [
    ['', 'SUSPEND', 'Suspended'],
    [elsewhere(), 'RESUME', 'Resumed'],
  ] as const) {
    await opened(`/tokens/${id}${search}`);
    await sandboxCall(visit.world, 'POST', `/sandbox/virtual-accounts/${id}/events`, { event });
    await drawer().getByRole('listitem').filter({ hasText: told }).first().waitFor();
  }
});

act('an application that is signed can be approved at once', async () => {
  const partner = onboardingOf(visit.world);
  const { body } = await partner.create({ company: { organizationNumber: '25313763', companyName: 'Signed ApS' } });
  await partner.lever(body.id, 'OPEN');
  await opened(`/onboarding/${body.id}`);
  await button('Abandon').waitFor();
  await partner.lever(body.id, 'SIGN');
  await button('Propose approval').waitFor();
  expect(await button('Abandon').count()).toBe(0);
});

act('a proposal that another ends is offered to nobody any more, and a dialog over it says so', async () => {
  const [first, second] = [await proposed(), await proposed()];
  await opened(`/proposals/${first}?status=EXPIRED`);
  await button('Confirm').waitFor();
  await rejected(first);
  await drawer().getByText('Rejected', { exact: true }).first().waitFor();
  expect(await button('Confirm').count()).toBe(0);
  await opened(`/proposals/${second}`);
  await button('Reject').click();
  await dialog().getByLabel('Reason').fill('Too much for one');
  await rejected(second);
  await dialog().getByRole('alert').getByText('It is no longer in a state that allows this.').waitFor();
  expect(await dialog().getByLabel('Reason').inputValue()).toBe('Too much for one');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await drawer().getByText('Rejected', { exact: true }).first().waitFor();
});

act('a merchant that another deactivates is not activated by the dialog that was open', async () => {
  const { merchantId } = visit.world.credentials.tenants.beta;
  const status = (to: string) =>
    askGraph(
      visit.world,
      'mutation ($id: ID!, $to: MerchantStatus!) { setMerchantStatus(merchantId: $id, status: $to, reason: "A drill") { merchantId } }',
      { id: merchantId, to },
    );
  await visit.go(`/merchants/${merchantId}`);
  await button('Deactivate').first().click();
  await dialog().getByLabel('Reason').fill('It asked for it');
  await status('INACTIVE');
  try {
    await dialog().getByRole('alert').getByText('It is no longer in a state that allows this.').waitFor();
    expect(await dialog().getByRole('heading').textContent()).toMatch(/^Deactivate/);
  } finally {
    await status('ACTIVE');
  }
  await visit.page.keyboard.press('Escape');
  await drawer().getByText('Active', { exact: true }).first().waitFor();
});

act('an endpoint tells what becomes of its address', async () => {
  const accountId = `acc-${freshCardNumber().slice(-10)}`;
  await askGraph(visit.world, 'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { accountId } }', {
    input: { accountId, name: 'Newly here' },
  });
  const addressed = async (word: string): Promise<string> => {
    const { setCallbackAddress } = await askGraph(
      visit.world,
      `mutation ($accountId: ID!, $address: String!) {
         setCallbackAddress(accountId: $accountId, kind: NOTIFY_UPDATE, address: $address) { endpointId } }`,
      { accountId, address: `${visit.world.urls.rest}/sandbox/receiver/${word}` },
    );
    return setCallbackAddress.endpointId;
  };
  const endpointId = await addressed('first');
  await visit.go(`/callbacks/endpoints/${endpointId}?health=DISABLED`);
  await drawer().getByTitle('/first').or(drawer().getByText('/first')).first().waitFor();
  await addressed('second');
  await drawer()
    .getByText(/second/)
    .first()
    .waitFor();
});

act(
  'an act that is asked for by its address does not open where it cannot be done, and why stands in its place',
  async () => {
    const { path } = await paid(visit.world, 'explicit');
    const { body } = await onboardingOf(visit.world).create({
      company: { organizationNumber: '25313763', companyName: 'Looked at ApS' },
    });
    const notFor = drawer().getByText('Your role does not allow this.');
    const notNow = drawer().getByText('It is no longer in a state that allows this.');
    const notYet = drawer().getByText('The application is in a state that does not allow this.');
    const { merchantId } = visit.world.credentials.tenants.beta;
    for (const [person, place, why] of [
      ['ada', `${path}?act=refund`, notNow],
      ['ada', `/onboarding/${body.id}?act=approve`, notYet],
      // A button that is not for the role says so to keys and fingers, too.
      ['vera', path, notFor],
      ['vera', `${path}?act=void`, notFor],
      ['vera', `/merchants/${merchantId}?act=status`, notFor],
      ['vera', `/onboarding/${body.id}?act=abandon`, notFor],
    ] as const) {
      await visit.as(person, place);
      await why.waitFor();
      expect([place, await dialog().count()]).toEqual([place, 0]);
    }
    await visit.as('ada', '/');
  },
);
