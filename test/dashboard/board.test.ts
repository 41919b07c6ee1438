// The onboarding board with more applications than it shows at first, on a platform of its own: their number, the way to older ones, and that these live and can be chosen like the others.
import type { Route } from 'playwright-core';
import { measure } from '../browser/looks';
import { onboardingOf } from '../support/onboarding';
import { startWorld } from '../support/world';
import { atDashboard, desktop, expectClean, phone } from './visit';

const visit = atDashboard({ person: 'olga', start: startWorld });
const { act } = visit;
afterEach(() => visit.page.unrouteAll({ behavior: 'ignoreErrors' }));

const count = 105;
let ids: string[];
const create = (companyName: string) =>
  onboardingOf(visit.world).create({ company: { organizationNumber: '25313763', companyName } });

beforeAll(async () => {
  ids = [];
  for (let made = 1; made <= count; made += 1) {
    const { body } = await create(`Applicant ${made} ApS`);
    ids.unshift(String(body.id));
  }
});

const column = (name = 'Initiated') => visit.page.getByRole('region', { name, exact: true });
const total = (said: string) => column().getByTitle(said, { exact: true });
const older = () => column().getByRole('button', { name: 'Show older', exact: true });
const shown = () => column().getByRole('link');
/** By its place, and not by what stands on it: a number may be in a time, too. */
const card = (name: string, id: string) => column(name).locator(`a[href$="/onboarding/${id}"]`);
const shownIds = () => shown().locator('.mono').allTextContents();

/** What the page asks by a document of this name, or counts, is answered by `answer`. */
const whenAsked = (words: string, answer: (route: Route) => unknown) =>
  visit.page.route('**/graphql', (route) =>
    route.request().postData()?.includes(words) ? answer(route) : route.fallback(),
  );
const refuse = (route: Route) =>
  route.fulfill({ json: { data: null, errors: [{ message: 'No.', extensions: { code: 'unavailable' } }] } });

const isShown = (cards: number) =>
  shown()
    .nth(cards - 1)
    .waitFor();

/** By keys, from the last card. */
async function askOlder(): Promise<void> {
  await shown().last().focus();
  const focused = visit.page.locator(':focus');
  for (let tabs = 0; tabs < 3 && (await focused.textContent()) !== 'Show older'; tabs += 1)
    await visit.page.keyboard.press('Tab');
  await visit.page.keyboard.press('Enter');
}

act('its columns say how many they have, and older ones come page after page, by keys', async () => {
  await visit.go('/onboarding');
  await total('105 in all').waitFor();
  expect(await total('105 in all').textContent()).toBe('105');
  expect(await shownIds()).toEqual(ids.slice(0, 50));
  await askOlder();
  await isShown(100);
  expect(await shownIds()).toEqual(ids.slice(0, 100));
  await expectClean(visit.page);
  await askOlder();
  await isShown(105);
  expect(await shownIds()).toEqual(ids);
  expect(await older().count()).toBe(0);
  await visit.page.setViewportSize(phone);
  expect((await measure(visit.page)).scrollsSideways).toBe(false);
  await visit.page.setViewportSize(desktop);
});

act('who comes back from another screen finds the older ones that were asked for', async () => {
  await visit.go('/onboarding');
  await older().click();
  await isShown(100);
  const screens = visit.page.getByRole('navigation').first();
  await screens.getByRole('link', { name: 'Callbacks', exact: true }).click();
  await visit.page.getByRole('heading', { name: 'Callbacks', exact: true }).waitFor();
  await screens.getByRole('link', { name: 'Onboarding', exact: true }).click();
  await isShown(100);
  expect(await shownIds()).toEqual(ids.slice(0, 100));
});

act('what is told changes older ones, too, and none is lost at the seams', async () => {
  await visit.go('/onboarding');
  await visit.page.locator('[data-state="live"]').first().waitFor();
  for (const cards of [100, 105]) {
    await older().click();
    await isShown(cards);
  }
  const { body } = await create('Newest ApS');
  ids.unshift(String(body.id));
  await total('106 in all').waitFor();
  await isShown(106);
  expect(await shownIds()).toEqual(ids);
  const moved = ids.splice(60, 1)[0] as string;
  await onboardingOf(visit.world).lever(moved, 'OPEN');
  await card('Awaits signature', moved).waitFor();
  await total('105 in all').waitFor();
  await shown().nth(105).waitFor({ state: 'detached' });
  expect(await shownIds()).toEqual(ids);
});

act('older ones are refused: it is said, what is shown stays, and it is asked again', async () => {
  await visit.go('/onboarding');
  await whenAsked('OnboardingColumn', refuse);
  await older().click();
  await column().getByRole('alert').waitFor();
  expect(await shownIds()).toEqual(ids.slice(0, 50));
  await expectClean(visit.page);
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  await older().click();
  await isShown(100);
  expect(await column().getByRole('alert').count()).toBe(0);
  // Those that are shown already stand where they cannot be read again.
  await whenAsked('OnboardingColumn', refuse);
  const { body } = await create('Not seen ApS');
  await column().getByRole('alert').waitFor();
  expect(await shownIds()).toEqual(ids.slice(0, 100));
  ids.unshift(String(body.id));
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  await older().click();
  await isShown(106);
  expect(await shownIds()).toEqual(ids);
});

act(
  'cards wait for no count; what is not counted to the end has that many or more, and a refused count is none',
  async () => {
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await whenAsked('"isCounted":true', async (route) => {
      await asked;
      const reply = await route.fetch();
      const { data } = await reply.json();
      const totalCount = { __typename: 'TotalCount', value: 1000, isExact: false };
      return route.fulfill({ json: { data: { ...data, initiated: { ...data.initiated, totalCount } } } });
    });
    await visit.go('/onboarding');
    await isShown(50);
    expect(await total('1,000 or more').count()).toBe(0);
    answer();
    await total('1,000 or more').waitFor();
    expect(await total('1,000 or more').textContent()).toBe('1,000+');
    await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
    await whenAsked('"isCounted":true', refuse);
    const refused = visit.page.waitForResponse((response) =>
      Boolean(response.request().postData()?.includes('"isCounted":true')),
    );
    await visit.go('/onboarding');
    await isShown(50);
    await (await refused).finished();
    expect(await visit.page.getByRole('alert').count()).toBe(0);
    expect(await visit.page.locator('main [title$="in all"], main [title$="or more"]').count()).toBe(0);
  },
);

act('older ones are chosen over the seam of their pages, and abandoned together', async () => {
  const { page } = visit;
  await visit.go('/onboarding');
  await older().click();
  await isShown(100);
  const boxOf = (place: number) => column().getByRole('checkbox', { name: new RegExp(`, ${ids[place]}$`) });
  await boxOf(48).click();
  await boxOf(51).click({ modifiers: ['Shift'] });
  await page.getByRole('toolbar', { name: 'Act on the chosen rows' }).getByText('4 chosen').waitFor();
  await page.getByRole('button', { name: 'Abandon', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Asked for by the partner');
  await dialog.getByRole('button', { name: 'Check first' }).click();
  await dialog.getByRole('button', { name: 'Abandon 4 applications' }).click();
  await page.getByRole('complementary').getByText('4 of 4').waitFor();
  await visit.go('/onboarding');
  for (const id of ids.splice(48, 4)) await card('Abandoned', id).waitFor();
});
