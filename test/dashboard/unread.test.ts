// What a screen says of what it could not read, or may not: in its place, in words for a reading, and with the way to try again.
import { graph } from '../support/partner';
import { atDashboard, expectClean, paid } from './visit';

const visit = atDashboard({ person: 'vera' });
const { act } = visit;

/** By every button that offers it, all at once: what is read again takes its button away. */
async function tryAgain(): Promise<void> {
  await visit.page.evaluate(
    'for (const button of document.querySelectorAll("main [role=alert] button")) button.click()',
  );
}

/** From here on no question is answered, until what is returned is called. */
async function withoutAnswers(): Promise<() => Promise<void>> {
  await visit.page.route('**/graphql', (route) => route.abort());
  return () => visit.page.unrouteAll({ behavior: 'ignoreErrors' });
}

/** The answers to every question, with something else in the place of what fits. */
async function answering(part: RegExp, other: string): Promise<void> {
  await visit.page.route('**/graphql', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(part, other) });
  });
}

act('the overview says of each part that it could not be read, of today once, and reads it again', async () => {
  const { page } = visit;
  await paid(visit.world, 'implicit');
  await visit.go('/settings');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  const mend = await withoutAnswers();
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  const today = page.getByRole('region', { name: 'Today', exact: true });
  await today.getByText('The platform cannot be reached.', { exact: true }).first().waitFor();
  await page.getByRole('region', { name: 'Latest payments' }).getByRole('alert').waitFor();
  // Those of today are one answer; the callbacks are another.
  expect(await today.getByRole('alert').count()).toBe(2);
  expect(await page.getByText(/Nothing was done/).count()).toBe(0);
  await today.getByRole('button', { name: 'Try again' }).first().waitFor();
  await expectClean(visit.page);
  await mend();
  await tryAgain();
  await page.getByRole('region', { name: 'Volume' }).waitFor();
  await page.getByRole('region', { name: 'Latest payments' }).getByRole('link').nth(1).waitFor();
  await page.getByRole('main').getByRole('alert').first().waitFor({ state: 'detached' });
});

act('balances by day say that they could not be read, and read them again', async () => {
  const { page } = visit;
  await visit.go('/payouts');
  await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor();
  const mend = await withoutAnswers();
  await page.getByRole('link', { name: 'By day', exact: true }).click();
  await page.getByRole('main').getByText('The platform cannot be reached.', { exact: true }).waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).waitFor();
  expect(await page.locator('[aria-busy="true"]').count()).toBe(0);
  await mend();
  await tryAgain();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
});

act('whoever may see nothing is told so, and has no headings without a place below them', async () => {
  const { page } = visit;
  await answering(/"rights":\[[^\]]*\]/, '"rights":[]');
  await visit.go('/');
  await page.getByRole('main').getByRole('heading', { name: 'Not for your role' }).waitFor();
  const navigation = page.getByRole('navigation').first();
  expect(await navigation.getByText('Platform', { exact: true }).count()).toBe(0);
  await expectClean(visit.page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

act('a merchant that has no answer for a moment is not called unknown, and what is typed over it stays', async () => {
  const { page, drawer, dialog } = visit;
  const { merchantId } = visit.world.credentials.tenants.beta;
  await visit.as('ada', `/merchants/${merchantId}`);
  await drawer().getByText('Beta Books').first().waitFor();
  await page.locator('[data-state="live"]').first().waitFor({ state: 'attached' });
  await drawer().getByRole('button', { name: 'Deactivate' }).first().click();
  await dialog().getByLabel('Reason').fill('Half a reason');
  const refused = { data: { merchant: null }, errors: [{ message: '', extensions: { code: 'unavailable' } }] };
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('MerchantLife') ? route.fulfill({ json: refused }) : route.fallback(),
  );
  const isRefused = page.waitForResponse((response) =>
    Boolean(response.request().postData()?.includes('MerchantLife')),
  );
  const rename =
    'mutation ($m: ID!) { updateMerchant(merchantId: $m, input: { merchantCity: "Roma" }) { merchantCity } }';
  const { data } = await graph(visit.world, rename, { m: merchantId });
  expect(data.updateMerchant.merchantCity).toBe('Roma');
  await (await isRefused).finished();
  await drawer()
    .getByText(/^Not up to date/)
    .waitFor();
  expect(await dialog().getByLabel('Reason').inputValue()).toBe('Half a reason');
  expect(await page.getByText('No such merchant').count()).toBe(0);
  await visit.go(`/merchants/${merchantId}`);
  await drawer().getByText('could not be loaded').waitFor();
  expect(await page.getByText('No such merchant').count()).toBe(0);
  await drawer().getByRole('button', { name: 'Try again' }).waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await tryAgain();
  await drawer().getByText('Beta Books').first().waitFor();
});

act('the keys of a merchant say that they could not be read, and are read again', async () => {
  const { page, drawer } = visit;
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('MerchantKeys') ? route.abort() : route.fallback(),
  );
  await visit.as('ada', `/merchants/${visit.world.credentials.tenants.beta.merchantId}`);
  const keys = drawer().getByRole('region', { name: 'API keys' });
  await keys.getByText('The platform cannot be reached.', { exact: true }).waitFor();
  expect(await keys.locator('[aria-busy="true"]').count()).toBe(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await keys.getByRole('button', { name: 'Try again' }).click();
  await keys.getByRole('listitem').first().waitFor();
  await keys.getByRole('alert').waitFor({ state: 'detached' });
});
