// What is shown before the graph has answered, as it is when the graph refuses it, and money, of which nothing is shown before.
import { newOrderId } from '../support/checkout';
import { graph } from '../support/partner';
import { askGraph } from '../support/reports';
import { atDashboard, hold, paid } from './visit';

const visit = atDashboard({ person: 'ada' });
const { act, drawer, dialog } = visit;
afterEach(() => visit.page.unrouteAll());

const told = (text: string) => visit.page.getByText(text, { exact: true }).waitFor();
const refused = 'Shown as before: Too many requests. Try again in a moment.';

act(
  'a view is there before it is kept, whatever was asked before; refused, it is gone and what was typed stands there again',
  async () => {
    const { page } = visit;
    const name = `In euro ${newOrderId()}`;
    const view = page.getByRole('button', { name });
    await visit.go('/payments?currency=EUR');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view…' }).click();
    await dialog().getByLabel('Name').fill(name);
    const first = await hold(page, 'SaveView');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await first.asked;
    await view.waitFor();
    const askedBefore = await hold(page, 'SavedViews');
    await first.refuse();
    await dialog().getByText('Too many requests. Try again in a moment.').waitFor();
    expect(await dialog().getByLabel('Name').inputValue()).toBe(name);
    expect(await view.count()).toBe(0);

    const second = await hold(page, 'SaveView');
    await askedBefore.asked;
    await dialog().getByRole('button', { name: 'Save' }).click();
    await second.asked;
    await view.waitFor();
    await askedBefore.goOn();
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    expect(await view.count()).toBe(1);
    await second.goOn();
    await visit.go('/payments?currency=EUR');
    await view.waitFor();
  },
);

act('a view is gone before it is forgotten; refused, it is back and the reason is told', async () => {
  const { page } = visit;
  const name = `In krone ${newOrderId()}`;
  const view = page.getByRole('button', { name });
  await visit.go('/payments?currency=DKK');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await dialog().getByLabel('Name').fill(name);
  const saved = await hold(page, 'SaveView');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await saved.goOn();
  await visit.go('/payments?currency=DKK');
  await view.click();
  const forgotten = await hold(page, 'DeleteView');
  await page.getByRole('menuitem', { name: 'Forget this view' }).click();
  await forgotten.asked;
  await view.waitFor({ state: 'detached' });
  await forgotten.refuse();
  await told(refused);
  await view.waitFor();
});

act('colours change at once, and back when the graph does not keep them', async () => {
  const { page } = visit;
  await visit.go('/settings');
  const asked = page.waitForRequest((request) => Boolean(request.postData()?.includes('SavePreferences')));
  await page.getByLabel('Light').check();
  await page.locator('html[data-theme="light"]').waitFor();
  // Nothing but what was chosen: language and zone go on being those of the visit.browser that is used.
  expect((await asked).postDataJSON().variables).toEqual({ input: { theme: 'LIGHT' } });
  const saved = await hold(page, 'SavePreferences');
  await page.getByLabel('Dark').check();
  await saved.asked;
  await page.locator('html[data-theme="dark"]').waitFor();
  await saved.refuse();
  await told(refused);
  await page.locator('html[data-theme="light"]').waitFor();
  await page.getByLabel('As the system').check();
  await page.locator('html:not([data-theme])').waitFor();
});

async function startJob(input: object): Promise<string> {
  const { startJob: job } = await askGraph(
    visit.world,
    'mutation ($input: StartJobInput!) { startJob(input: $input) { jobId } }',
    { input: { reason: 'A drill', ...input } },
  );
  return job.jobId;
}

const many = (word: string) => Array.from({ length: 2_000 }, (_, index) => `${word}-${index}`);

act('a job that moves no money goes on at once; refused, it stands as it stood', async () => {
  const { page } = visit;
  const jobId = await startJob({ act: 'REDELIVER_CALLBACK', ids: many('callback') });
  // Held before anybody looks: however slow the page is, there is something left to do.
  await askGraph(visit.world, 'mutation ($jobId: ID!) { pauseJob(jobId: $jobId) { state } }', { jobId });
  await visit.go(`/jobs/${jobId}`);
  const resumed = await hold(page, 'ResumeJob');
  await drawer().getByRole('button', { name: 'Go on' }).click();
  await resumed.asked;
  await drawer().getByRole('button', { name: 'Pause' }).waitFor();
  await resumed.refuse();
  await told(refused);
  await drawer().getByRole('button', { name: 'Go on' }).waitFor();

  const again = await hold(page, 'ResumeJob');
  await drawer().getByRole('button', { name: 'Go on' }).click();
  await again.asked;
  await drawer().getByRole('button', { name: 'Cancel' }).click();
  await dialog().getByRole('button', { name: 'Cancel the job' }).waitFor();
  await again.goOn();
  await told('Going on');
  expect(await dialog().getByRole('button', { name: 'Cancel the job' }).count()).toBe(1);
});

act('what is shown before the answer is of the one job that it was done to, and so is a refusal', async () => {
  const { page } = visit;
  const started = async (input: object) => {
    const jobId = await startJob(input);
    await askGraph(visit.world, 'mutation ($jobId: ID!) { pauseJob(jobId: $jobId) { state } }', { jobId });
    return jobId;
  };
  const other = await started({ act: 'REDELIVER_CALLBACK', ids: many('other'), reason: 'The other one' });
  const chosen = page.locator(`main a[href*="${other}"]`).first();
  for (const [act, end] of [
    ['REDELIVER_CALLBACK', 'goOn'],
    ['CAPTURE_PAYMENT', 'refuse'],
  ] as const) {
    const jobId = await started({ act, ids: many(act), reason: 'The first one' });
    await visit.go(`/jobs/${jobId}`);
    const held = await hold(page, 'ResumeJob');
    await drawer().getByRole('button', { name: 'Go on' }).click();
    await held.asked;
    if (end === 'refuse') await held.refuse();
    if (end === 'refuse') await drawer().getByRole('alert').waitFor();
    await chosen.click();
    await drawer().getByText('The other one').waitFor();
    if (end === 'goOn') await held.goOn();
    if (end === 'goOn') await told('Going on');
    await drawer().getByText('The other one').waitFor();
    expect([act, await drawer().getByRole('alert').count()]).toEqual([act, 0]);
  }
});

act('an endpoint is healthy at once when it is enabled; refused, it is as it was', async () => {
  const { page } = visit;
  const { callbackEndpoints } = await askGraph(
    visit.world,
    '{ callbackEndpoints(first: 1) { edges { node { endpointId } } } }',
  );
  let isFailing = true;
  await page.route('**/graphql', async (route) => {
    if (!isFailing || !route.request().postData()?.includes('EndpointLife')) return route.fallback();
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('"HEALTHY"', '"DISABLED"') });
  });
  await visit.go(`/callbacks/endpoints/${callbackEndpoints.edges[0].node.endpointId}`);
  for (const end of ['refuse', 'goOn'] as const) {
    await drawer().getByText('Disabled', { exact: true }).waitFor();
    const enabled = await hold(page, 'EnableCallbackEndpoint');
    await drawer().getByRole('button', { name: 'Enable' }).click();
    await enabled.asked;
    await drawer().getByText('Healthy', { exact: true }).waitFor();
    isFailing = end === 'refuse';
    await enabled[end]();
    if (end === 'refuse') await told(refused);
  }
  await told('The endpoint receives callbacks again');
  await drawer().getByText('Healthy', { exact: true }).waitFor();
});

act('nothing of money is shown before it has moved', async () => {
  const { page } = visit;
  const { path, paymentId } = await paid(visit.world, 'explicit');
  await visit.go(path);
  await drawer().getByRole('button', { name: 'Capture' }).waitFor();
  const summary = () => page.locator('aside dd').allTextContents();
  const before = await summary();
  await drawer().getByRole('button', { name: 'Capture' }).click();
  await dialog().getByLabel('Reason').fill('All was sent');
  const captured = await hold(page, 'CaptureOperation');
  await dialog()
    .getByRole('button', { name: /^Capture/ })
    .click();
  await captured.asked;
  expect(before.length).toBeGreaterThan(3);
  expect(await summary()).toEqual(before);
  await captured.refuse();
  await dialog().getByText('Too many requests. Try again in a moment.').waitFor();
  const { data } = await graph(visit.world, 'query ($id: ID!) { payment(paymentId: $id) { state } }', {
    id: paymentId,
  });
  expect(data.payment.state).toBe('Authorized');
});
