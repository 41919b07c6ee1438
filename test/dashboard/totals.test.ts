// How many a list has, beside its title: asked after the rows, grown by what comes in by itself, and "or more" where it is not counted to the end.
import { newOrderId, payWithFields, shopOf } from '../support/checkout';
import { atDashboard, openLiveList } from './visit';

const visit = atDashboard({ person: 'ada' });
const { act } = visit;
afterEach(() => visit.page.unrouteAll({ behavior: 'ignoreErrors' }));

const total = (said: string) => visit.page.locator('header').getByTitle(said, { exact: true });

/** The next count is answered by what `answer` makes of it. */
const whenCounted = (answer: (body: { data: { payments: object } }) => object) =>
  visit.page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('"isCounted":true')) return route.fallback();
    const reply = await route.fetch();
    return route.fulfill({ response: reply, json: answer(await reply.json()) });
  });

act('an empty list tells no number, and the first row that comes in by itself is one', async () => {
  const orderId = newOrderId();
  await openLiveList(visit, `/payments?orderId=${orderId}`);
  await visit.page.getByText('Nothing matches these filters').waitFor();
  expect(await total('1 in all').count()).toBe(0);
  await payWithFields(visit.world, shopOf(visit.world, 'alpha', 'explicit'), {
    order: { orderId },
    paymentSession: {},
  });
  await total('1 in all').waitFor();
  expect(await total('1 in all').textContent()).toBe('1');
  await visit.page.reload();
  await total('1 in all').waitFor();
});

act('what is not counted to the end has that many or more', async () => {
  await whenCounted(({ data }) => ({
    data: { payments: { ...data.payments, totalCount: { __typename: 'TotalCount', value: 1000, isExact: false } } },
  }));
  await visit.go('/payments');
  await total('1,000 or more').waitFor();
  expect(await total('1,000 or more').textContent()).toBe('1,000+');
});

act('a count that is refused leaves the rows as they are', async () => {
  const { page } = visit;
  await whenCounted(() => ({ data: null, errors: [{ message: 'No time.', extensions: { code: 'unavailable' } }] }));
  const refused = page.waitForResponse(
    (response) => response.request().postData()?.includes('"isCounted":true') ?? false,
  );
  await visit.go('/payments');
  await page.getByRole('row').nth(1).waitFor();
  await (await refused).finished();
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  expect(await page.getByRole('row').count()).toBeGreaterThan(1);
  expect(await page.locator('main').textContent()).not.toMatch(/No time|in all|or more/);
  expect(await page.locator('header [title$="in all"], header [title$="or more"]').count()).toBe(0);
});
