// What the dashboard says of refusals: words of its own for every code and field of the graph, and never the graph's, which are English and for programs.
import { domainErrors } from '../../subgraphs/shared/errors';
import { atDashboard } from './visit';

/** These ask the browser for its language, which the compiler knows nothing of here. */
const { sayRefusal } = jest.requireActual<{ sayRefusal(error: object): string }>('../../dashboard/kit/refusal-word');
const refused = (extensions: object, message = 'minAmount is more than maxAmount') =>
  sayRefusal({ message, graphQLErrors: [{ message, extensions }] });

test.each(Object.keys(domainErrors))('%s is told in words of the dashboard', (code) => {
  expect(refused({ code })).not.toContain('minAmount');
  expect(refused({ code }).length).toBeGreaterThan(10);
});

test.each([
  [{ code: 'invalidInput', field: 'input.name' }, 'This name is not possible: it may have 80 characters.'],
  [{ code: 'invalidData', field: 'views' }, 'You keep as many views as one may. Forget one first.'],
  [{ code: 'invalidInput', field: 'someInternal.thing' }, 'Something of what was sent is not possible.'],
  [{ code: 'timesReversed', field: 'from' }, 'The beginning lies after the end.'],
  [{ code: 'invalidState' }, 'It is no longer in a state that allows this.'],
  [{ code: 'neverHeardOf' }, 'The platform refused it (neverHeardOf).'],
])('%j is told as: %s', (extensions, said) => {
  expect(refused(extensions)).toBe(said);
});

const visit = atDashboard({ person: 'sam', locale: 'de-DE' });

visit.act('a view that the graph refuses is refused in German', async () => {
  const { page, go } = visit;
  await go(`/merchants?status=ACTIVE&text=${'x'.repeat(2_100)}`);
  await page.getByRole('button', { name: 'Ansichten' }).click();
  await page.getByRole('menuitem', { name: 'Ansicht speichern…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('y'.repeat(90));
  expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('y'.repeat(80));
  await page.getByRole('dialog').getByRole('button', { name: 'Speichern' }).click();
  await page.getByRole('alert').getByText('Diese Filter sind zu lang zum Speichern.', { exact: true }).waitFor();
  expect(await page.getByRole('alert').allInnerTexts()).toEqual(['Diese Filter sind zu lang zum Speichern.']);
});
