// What the dashboard itself says in a row of a list stands whole where it is longest: times in American English of two-digit hours, words in German.
import type { BrowserContext } from 'playwright-core';
import { de } from '../../dashboard/strings/de';
import { toldActions } from '../../subgraphs/shared/vocabulary/audit-action';
import { openBrowser } from '../browser/page-world';
import { cards, openInbox, payWithFields, shopOf } from '../support/checkout';
import { graph } from '../support/partner';
import { askGraph } from '../support/reports';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';
import { actsOf, desktop, paid, type Visit, visitDashboard } from './visit';

let world: World;

beforeAll(async () => {
  world = await sharedWorld();
  const inbox = openInbox(world);
  await paid(world, 'implicit', { notificationUrl: inbox.url });
  await inbox.atLeast(2);
  const { merchantId } = world.credentials.tenants.alpha;
  const input = { merchantId, amount: '100', currency: 'EUR', reason: 'paid in' };
  const propose = 'mutation ($input: LedgerEntryInput!) { bookDeposit(input: $input) { proposal { proposalId } } }';
  expect((await graph(world, propose, { input })).errors).toBe(undefined);
});
afterAll(() => world?.stop());

interface Seen {
  text: string;
  isTime: boolean;
  isCut: boolean;
}

/** Each text in a row, and whether the cell that it stands in hides a part of it. */
const seenInRows = `(() => {
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const seen = [];
  while (walker.nextNode()) {
    const { parentElement } = walker.currentNode;
    if (!parentElement.closest('[role="row"], tr') || !parentElement.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    let clip = parentElement;
    while (clip && getComputedStyle(clip).overflowX === 'visible') clip = clip.parentElement;
    const [said, box] = [range.getBoundingClientRect(), clip.getBoundingClientRect()];
    const end = box.right - parseFloat(getComputedStyle(clip).paddingRight);
    const isCut = said.right > end + 0.5 || said.left < box.left - 0.5;
    seen.push({ text: walker.currentNode.textContent, isTime: parentElement.tagName === 'TIME', isCut });
  }
  return seen;
})()`;

/** Which of these words a column would cut, whichever of them stand there now. */
const cutOf = (column: string, words: readonly string[]) => `(() => {
  const heads = [...document.querySelectorAll('main thead th')];
  const place = heads.findIndex(({ textContent }) => textContent.trim() === ${JSON.stringify(column)});
  const row = [...document.querySelectorAll('main tbody tr')].find(({ cells }) => cells.length === heads.length);
  const text = document.createTreeWalker(row.cells[place], NodeFilter.SHOW_TEXT).nextNode();
  return ${JSON.stringify(words)}.filter((word) => {
    text.nodeValue = word;
    return ${seenInRows}.some(({ text, isCut }) => text === word && isCut);
  });
})()`;

async function seenAt({ page }: Visit): Promise<Seen[]> {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  return page.evaluate<Seen[]>(seenInRows);
}

/** Those that may have none. */
const perhaps = ['/onboarding', '/jobs', '/payouts', '/payouts/entries', '/tokens'];
/** Those that have rows here whatever other tests have left. */
const always = ['/payments', '/callbacks', '/callbacks/endpoints', '/merchants', '/proposals', '/audit', '/people'];
const lists = [...always, ...perhaps];

/** Where it is ten o'clock by the platform: the hours have two digits, also when other tests put its clock on. */
async function zoneOfTen(): Promise<string> {
  const { now } = (await askGraph(world, '{ viewer { now } }')).viewer;
  const west = ((new Date(now).getUTCHours() + 2) % 24) - 12;
  return `Etc/GMT${west < 0 ? west : `+${west}`}`;
}

describe('times in American English', () => {
  let browser: BrowserContext;
  let visit: Visit;
  beforeAll(async () => {
    browser = await openBrowser({ locale: 'en-US', timezoneId: await zoneOfTen(), reducedMotion: 'reduce' });
    visit = await visitDashboard(browser, world, { person: 'ada' });
  });
  afterAll(() => browser?.close());

  const expectWholeTimes = async () => {
    const cut = (await seenAt(visit)).filter(({ isTime, isCut }) => isTime && isCut);
    expect(cut).toEqual([]);
  };

  test.each(lists)('%s', async (path) => {
    await visit.go(path);
    if (always.includes(path)) await visit.page.getByRole('row').nth(1).waitFor();
    await expectWholeTimes();
  });

  actsOf(() => visit)('the live feed', async () => {
    const { page } = visit;
    await visit.go('/live');
    await page.getByText('Live', { exact: true }).first().waitFor();
    await paid(world, 'implicit');
    const first = page.getByRole('row').locator('time').first();
    await first.waitFor();
    expect(await first.textContent()).toMatch(/^1[012]:\d\d:\d\d [AP]M$/);
    await expectWholeTimes();
  });
});

/** Every text of a language, however deep it stands. */
function textsOf(words: object): string[] {
  return Object.values(words).flatMap((said) =>
    typeof said === 'string' ? [said] : typeof said === 'object' && said !== null ? textsOf(said) : [],
  );
}

/** Where a list has room for all of its columns. */
const wide = { width: 1440, height: 900 };

/** A job of which one thing was not done, to its end. */
async function refusedJob(): Promise<void> {
  const input = { act: 'REFUND_PAYMENT', ids: ['nobody'], reason: 'A drill' };
  const { startJob } = await askGraph(
    world,
    'mutation ($input: StartJobInput!) { startJob(input: $input) { jobId } }',
    { input },
  );
  const done = 'query ($jobId: ID!) { job(jobId: $jobId) { state failed } }';
  await eventually(async () => (await askGraph(world, done, startJob)).job.failed === 1);
}

/** Puts into each cell of how far a job has come the largest numbers that there may be. */
const manyIn = (
  of: string,
  notDone: string,
) => `for (const bar of document.querySelectorAll('main td [role="progressbar"]')) {
  const [, done, failed] = bar.parentElement.children;
  done.textContent = ${JSON.stringify(of)};
  if (failed) failed.textContent = ${JSON.stringify(notDone)};
}`;

describe('words in German', () => {
  let browser: BrowserContext;
  let visit: Visit;
  const own = new Set(textsOf(de));
  beforeAll(async () => {
    browser = await openBrowser({ locale: 'de-DE', reducedMotion: 'reduce' });
    visit = await visitDashboard(browser, world, { person: 'ada' });
  });
  afterAll(() => browser?.close());

  test.each(lists)('%s', async (path) => {
    await visit.go(path);
    if (always.includes(path)) await visit.page.getByRole('row').nth(1).waitFor();
    const said = (await seenAt(visit)).filter(({ text }) => own.has(text));
    if (always.includes(path)) expect(said).not.toEqual([]);
    expect(said.filter(({ isCut }) => isCut).map(({ text }) => text)).toEqual([]);
  });

  const { states, callbacks, proposals } = de;
  // These two come with a status.
  const { delivered: _delivered, httpError: _httpError, ...unanswered } = callbacks.results;
  test.each([
    ['/callbacks', callbacks.answer, Object.values(unanswered)],
    ['/callbacks/endpoints', callbacks.answer, Object.values(unanswered)],
    ['/proposals', proposals.kind, [states.PAYOUT_ACCOUNT, states.ONBOARDING_APPROVAL, states.CLIENT_SCOPES]],
  ])('%s: whatever there may be under %s', async (path, column, words) => {
    await visit.go(path);
    await visit.page.getByRole('row').nth(1).waitFor();
    await seenAt(visit);
    expect(await visit.page.evaluate<string[]>(cutOf(column, words))).toEqual([]);
  });

  test('how far a job has come, with all that was not done', async () => {
    await refusedJob();
    await visit.page.setViewportSize(wide);
    await visit.go('/jobs');
    await visit.page.getByText('1 nicht getan').first().waitFor();
    const most = '10.000';
    const [of, notDone] = [de.jobs.of(most, most), de.jobs.failedOf(most)];
    for (const change of ['', manyIn(of, notDone)]) {
      await visit.page.evaluate(change);
      const seen = (await seenAt(visit)).filter(({ text }) => /nicht getan$| von /.test(text));
      expect(seen.length).toBeGreaterThan(1);
      expect(seen.filter(({ isCut }) => isCut)).toEqual([]);
    }
    await visit.page.setViewportSize(desktop);
  });

  test('the number of attempts, whatever came back at last', async () => {
    const { page } = visit;
    await page.setViewportSize(wide);
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('CallbackRows')) return route.fallback();
      const response = await route.fetch();
      const json = await response.json();
      for (const { node } of json.data?.callbacks?.edges ?? [])
        node.attempts = Array(12).fill({ ...node.attempts[0], result: 'connectFailed', status: null });
      return route.fulfill({ response, json });
    });
    await visit.go('/callbacks');
    await page
      .getByText(/· 12×$/)
      .first()
      .waitFor();
    expect(await page.evaluate<string[]>(cutOf(callbacks.answer, Object.values(unanswered)))).toEqual([]);
    const numbers = (await seenAt(visit)).filter(({ text }) => /^(.*· )?12(×|$)/.test(text));
    expect(numbers).not.toEqual([]);
    expect(numbers.filter(({ isCut }) => isCut)).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.setViewportSize(desktop);
  });

  actsOf(() => visit)('the live feed', async () => {
    const { page } = visit;
    await visit.go('/live');
    await page.getByText('Live', { exact: true }).first().waitFor();
    await payWithFields(world, shopOf(world, 'alpha', 'explicit'), { number: cards.risk });
    await page.getByRole('row').getByText(de.states.DENIED_BY_RISK).first().waitFor();
    const cut = (await seenAt(visit)).filter(({ text, isCut }) => own.has(text) && isCut);
    expect(cut.map(({ text }) => text)).toEqual([]);
    const words = toldActions.map((act) => de.audit.actions[act]);
    expect(await page.evaluate<string[]>(cutOf(de.live.what, words))).toEqual([]);
  });
});
