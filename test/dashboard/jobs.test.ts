// Acts in bulk at the dashboard, on the real platform: looked at first, done, told row by row, held and ended; gone on with by another process when the one at work dies.
import { readFileSync } from 'node:fs';
import { accessibilityFaults, measure } from '../browser/looks';
import { picture } from '../browser/pictures';
import { openDatabase } from '../faults/audit';
import { openInbox } from '../support/checkout';
import { graph } from '../support/partner';
import { eventually } from '../support/stores';
import { startWorld } from '../support/world';
import { atDashboard, desktop, paid, phone } from './visit';

const visit = atDashboard({ person: 'olga', start: () => startWorld({ env: { PROCESSES: '2' }, databases: 'own' }) });
const { act, drawer, dialog } = visit;

const bar = () => visit.page.getByRole('toolbar', { name: 'Act on the chosen rows' });
const box = (orderId: string) => visit.page.getByRole('row').filter({ hasText: orderId }).getByRole('checkbox');

async function refunds(paymentId: string) {
  const { data } = await graph(
    visit.world,
    `query ($paymentId: ID!) { payment(paymentId: $paymentId) {
       capturedAmount refundedAmount operations(first: 50) { edges { node { operationType operationResult } } } } }`,
    { paymentId },
  );
  const { capturedAmount, refundedAmount, operations } = data.payment;
  const types = operations.edges.map(({ node }: { node: { operationType: string } }) => node.operationType);
  return {
    isWhole: capturedAmount === refundedAmount,
    count: types.filter((type: string) => type === 'REFUND').length,
  };
}

async function shoot(name: string): Promise<void> {
  const { page } = visit;
  expect(await accessibilityFaults(page)).toEqual([]);
  await picture(page, `dashboard-${name}-desktop`, { fullPage: false });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await accessibilityFaults(page)).toEqual([]);
  await picture(page, `dashboard-${name}-dark`, { fullPage: false });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(phone);
  expect((await measure(page)).scrollsSideways).toBe(false);
  await picture(page, `dashboard-${name}-phone`, { fullPage: false });
  await page.setViewportSize(desktop);
}

act('payments are refunded together: looked at first, then done, with a report and a file of it', async () => {
  const { page } = visit;
  const captured = [await paid(visit.world, 'implicit'), await paid(visit.world, 'implicit')];
  const open = await paid(visit.world, 'explicit');
  await visit.as('olga', `/payments?merchantId=${visit.world.credentials.tenants.alpha.merchantId}`);
  await box(open.orderId).check();
  await box(captured[0]?.orderId ?? '').click({ modifiers: ['Shift'] });
  await bar().getByText('3 chosen').waitFor();
  await shoot('chosen');
  await page.keyboard.press('j');

  await bar().getByRole('button', { name: 'Refund' }).click();
  await dialog().getByRole('button', { name: 'Check first' }).click();
  await dialog().getByText('Say why').waitFor();
  await dialog().getByLabel('Reason').fill('The batch was faulty');
  await dialog().getByRole('button', { name: 'Check first' }).click();
  await dialog().getByText('Would be refused, by reason').waitFor();
  await dialog().getByText('Not in a state that allows it').waitFor();
  await shoot('bulk-refund');
  // What was looked at is what is done: the keys of the list are not those of the dialog.
  for (const key of ['x', 'j', 'x']) await page.keyboard.press(key);
  expect(await bar().getByText('3 chosen').count()).toBe(1);
  expect(await refunds(captured[0]?.paymentId ?? '')).toEqual({ isWhole: false, count: 0 });

  await dialog().getByRole('button', { name: 'Refund 2 payments' }).click();
  await drawer().getByText('3 of 3').waitFor();
  await drawer().getByText('Done', { exact: true }).first().waitFor();
  await drawer().getByText('1 not done').waitFor();
  for (const { paymentId } of captured) expect(await refunds(paymentId)).toEqual({ isWhole: true, count: 1 });
  await shoot('job');

  await drawer().getByRole('button', { name: 'Outcome' }).click();
  await page.getByRole('menuitemradio', { name: 'Failed' }).click();
  await drawer().getByRole('link', { name: open.orderId }).waitFor();
  expect(
    await drawer()
      .getByRole('link', { name: captured[0]?.orderId ?? '' })
      .count(),
  ).toBe(0);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    drawer().getByRole('link', { name: 'Export' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`${open.paymentId},FAILED,invalidState`);
  expect(lines[1]).toContain(open.orderId);
  await drawer().getByRole('link', { name: open.orderId }).click();
  await drawer().getByText('Timeline').waitFor();
  expect(new URL(page.url()).pathname).toBe(open.path);

  await visit.as('olga', '/jobs');
  await page.getByRole('row').filter({ hasText: 'Dry run' }).first().click();
  await drawer().getByText('Would be done', { exact: true }).nth(1).waitFor();
  await drawer().getByText('Would be refused', { exact: true }).waitFor();
});

act('callbacks are sent again together', async () => {
  const inbox = openInbox(visit.world);
  await paid(visit.world, 'implicit', { notificationUrl: inbox.url });
  await inbox.atLeast(2);
  await visit.as('sam', `/callbacks?merchantId=${visit.world.credentials.tenants.alpha.merchantId}`);
  await visit.page.getByRole('row').nth(2).waitFor();
  await visit.page.getByRole('checkbox', { name: 'Choose all shown' }).check();
  await bar().getByRole('button', { name: 'Send again' }).click();
  await dialog().getByLabel('Reason').fill('The receiver was away');
  await dialog().getByRole('button', { name: 'Check first' }).click();
  await dialog()
    .getByRole('button', { name: /^Send \d+ callbacks again$/ })
    .click();
  await drawer().getByText('Done', { exact: true }).first().waitFor();
  await drawer().getByText('2 of 2').waitFor();
  await drawer().getByTitle(inbox.url.replace('http://', '')).first().waitFor();
  await drawer()
    .getByRole('link', { name: / · (Authorization|Capture)$/ })
    .first()
    .click();
  await drawer().getByText('by hand').waitFor();
});

act('who may only look can choose nothing, and sees what others began', async () => {
  const { page } = visit;
  await visit.as('vera', '/payments');
  await page.getByRole('row').nth(1).waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  await visit.go('/jobs');
  await page
    .getByRole('cell', { name: /^Refund payments/ })
    .first()
    .waitFor();
  await shoot('jobs');
  await page
    .getByRole('cell', { name: /^Refund payments/ })
    .first()
    .click();
  await drawer().getByText('The batch was faulty').waitFor();
  for (const name of ['Pause', 'Go on', 'Cancel', 'Export'])
    expect(await drawer().getByRole('button', { name }).count()).toBe(0);
});

act(
  'the process at work dies in the middle: another goes on, the screen follows, and nothing is refunded twice',
  async () => {
    const { page } = visit;
    const payments = await Promise.all(Array.from({ length: 24 }, () => paid(visit.world, 'implicit', {}, 'beta')));
    const client = await openDatabase(visit.world);
    try {
      const jobs = client.db().collection<{ _id: string; claimedBy?: string }>('jobs');
      const rows = client.db().collection('job_rows');
      await visit.as('olga', `/payments?merchantId=${visit.world.credentials.tenants.beta.merchantId}`);
      await page.getByRole('cell', { name: payments.at(-1)?.orderId ?? '', exact: true }).waitFor();
      await page.getByRole('checkbox', { name: 'Choose all shown' }).check();
      await bar().getByRole('button', { name: 'Refund' }).click();
      await dialog().getByLabel('Reason').fill('The shop closed');
      await dialog().getByRole('button', { name: 'Check first' }).click();
      await dialog()
        .getByRole('button', { name: /^Refund 24 payments$/ })
        .click();
      await page.waitForURL(/\/jobs\//);
      const jobId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      // Begun, and not yet told of: some are refunded, and only the acquirer and the payments know.
      await eventually(() => rows.findOne({ jobId, attemptedAt: { $ne: null } }), { timeoutMs: 30_000 });
      const worker = await jobs.findOne({ _id: jobId });
      process.kill(Number(worker?.claimedBy?.split(' ')[1]), 'SIGKILL');
      const left = await rows.countDocuments({ jobId, outcome: 'WAITING' });
      expect(left).toBeGreaterThan(0);
      await drawer().getByText('24 of 24').waitFor({ timeout: 60_000 });
      await drawer().getByText('Done', { exact: true }).first().waitFor();
      expect(await rows.countDocuments({ jobId, outcome: 'SUCCEEDED' })).toBe(24);
      const told = await Promise.all(payments.map(({ paymentId }) => refunds(paymentId)));
      expect(told.filter(({ isWhole, count }) => !isWhole || count !== 1)).toEqual([]);
    } finally {
      await client.close();
      // What the visit.browser says of connections that were cut is no fault of the page.
      visit.complaints.splice(0);
    }
  },
);

act('a job of money that is held keeps its button after a sign-in of long ago, which leads to a new one', async () => {
  const { page } = visit;
  const { data } = await graph(visit.world, 'mutation ($input: StartJobInput!) { startJob(input: $input) { jobId } }', {
    input: { act: 'REFUND_PAYMENT', ids: Array.from({ length: 500 }, (_, index) => `p-${index}`), reason: 'A drill' },
  });
  const { jobId } = data.startJob;
  await graph(visit.world, 'mutation ($jobId: ID!) { pauseJob(jobId: $jobId) { state } }', { jobId });
  // As whoever signed in too long ago is told.
  await page.route('**/graphql', async (route) => {
    const { operationName } = JSON.parse(route.request().postData() ?? '{}');
    const stale = { code: 'freshSignInNeeded' };
    if (operationName === 'ResumeJob')
      return route.fulfill({ json: { data: null, errors: [{ message: 'Too long ago.', extensions: stale }] } });
    const response = await route.fetch();
    const answer = await response.json();
    for (const each of answer.data?.job?.actions ?? [])
      if (each.action === 'RESUME') Object.assign(each, { allowed: false, reason: stale });
    return route.fulfill({ response, json: answer });
  });
  await visit.as('olga', `/jobs/${jobId}`);
  await drawer().getByRole('button', { name: 'Go on' }).click();
  await drawer().getByRole('link', { name: 'Sign in again' }).waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await graph(visit.world, 'mutation ($jobId: ID!) { cancelJob(jobId: $jobId) { state } }', { jobId });
});

act('a job is held, goes on and is ended', async () => {
  const { page } = visit;
  const { data } = await graph(visit.world, 'mutation ($input: StartJobInput!) { startJob(input: $input) { jobId } }', {
    input: {
      act: 'REDELIVER_CALLBACK',
      ids: Array.from({ length: 2_000 }, (_, index) => `callback-${index}`),
      reason: 'A drill',
    },
  });
  const { jobId } = data.startJob;
  // Held before anybody looks: however slow the page is, there is something left to do.
  await graph(visit.world, 'mutation ($jobId: ID!) { pauseJob(jobId: $jobId) { state } }', { jobId });
  await visit.as('olga', `/jobs/${jobId}`);
  await drawer().getByText('Paused', { exact: true }).waitFor();
  // What is not there is told by its id.
  await drawer().getByRole('link', { name: 'callback-0', exact: true }).waitFor();
  await drawer().getByRole('button', { name: 'Go on' }).click();
  await drawer().getByRole('button', { name: 'Pause' }).click();
  await drawer().getByText('Paused', { exact: true }).waitFor();
  await drawer().getByRole('button', { name: 'Cancel' }).click();
  await dialog().getByRole('button', { name: 'Cancel the job' }).click();
  await drawer().getByText('Cancelled', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Go on' }).count()).toBe(0);
});
