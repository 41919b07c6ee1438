// Card-field frames that are mounted anew, and values that were taken away: only what the payer sees is confirmed and charged.
import { cards } from '../support/checkout';
import { eventually } from '../support/stores';
import { openFieldSite } from './field-site';
import { cardFieldIds, type FieldPage, type FieldWish, hold, typeCard, typed } from './merchant-site';

const opened = openFieldSite();
const { withFields } = opened;

const version1: FieldWish = { fields: cardFieldIds };
const version3: FieldWish = { fields: cardFieldIds, order: { more: { version: '3' } } };
const flowState = async (sessionId: string) => (await opened.site.shop.state(sessionId)).body.state;
const confirm = ({ page }: FieldPage) =>
  page.evaluate<string>('mounted.confirm().then(String, (error) => error.message)');
const notConfirmed = 'PaymentFields: not confirmed';

/** As after a reload of the shop's page: the same field set in new frames, which are empty. */
async function mountAnew({ page, built, hears }: FieldPage, fields: readonly string[] = cardFieldIds): Promise<void> {
  const { securityToken: _kept, ...fieldSet } = built;
  const containers = Object.fromEntries(fields.map((id) => [id, `#place-${id}`]));
  await page.evaluate(
    `mounted.unmount(); heard.length = 0; start(${JSON.stringify({ fieldSet, containers, frameTimeoutMs: 60_000 })})`,
  );
  for (const fieldId of fields) await hears({ type: 'ready', fieldId });
}

async function typeWhole(fields: FieldPage, number: string): Promise<void> {
  await typeCard(fields, { ...typed, CARD_NUMBER: number });
  for (const fieldId of cardFieldIds) await fields.hears({ type: 'valid', fieldId });
}

/** Unlike a keyboard, in several frames at once. */
const typeAtOnce = (fields: FieldPage) =>
  Promise.all(
    cardFieldIds.map((id) =>
      fields.input(id).evaluate((input, value) => {
        Object.assign(input, { value });
        for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
      }, typed[id] ?? ''),
    ),
  );

async function expectNothingCharged({ sessionId }: FieldPage): Promise<void> {
  const { status } = await opened.site.shop.finalize(sessionId);
  expect([status < 500, status >= 400, await flowState(sessionId)]).toEqual([true, true, 'CARD_DATA_COLLECTION']);
}

describe('frames that are mounted anew', () => {
  it.each([
    ['typed', false],
    ['confirmed', true],
  ])('do not confirm a card that was %s in the frames before; typed again, it is paid with', async (_, isConfirmed) => {
    await withFields(async (fields) => {
      await typeWhole(fields, cards.mastercard);
      if (isConfirmed) expect(await confirm(fields)).toBe('READY_FOR_PAYMENT');
      await mountAnew(fields);
      expect(await confirm(fields)).toBe(notConfirmed);
      await expectNothingCharged(fields);
      await typeWhole(fields, cards.visa);
      expect(await confirm(fields)).toBe('READY_FOR_PAYMENT');
      const { status, body } = await opened.site.shop.finalize(fields.sessionId);
      expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining('4242')]);
    }, version3);
  });

  it('version 1 joins a number with nothing that was typed into the frames before', async () => {
    await withFields(async (fields) => {
      await typeCard(fields, { ...typed, CARD_NUMBER: cards.mastercard });
      await fields.hears({ type: 'state', state: 'READY_FOR_PAYMENT' });
      await mountAnew(fields);
      expect(await flowState(fields.sessionId)).toBe('READY_FOR_PAYMENT');
      await typeCard(fields, { CARD_NUMBER: cards.visa });
      await fields.hears({ type: 'valid', fieldId: 'CARD_NUMBER' });
      await fields.hears({ type: 'state', fieldId: 'CARD_NUMBER' });
      const states = (await fields.heard()).flatMap(({ type, state }) => (type === 'state' ? [state] : []));
      expect(new Set(states)).toEqual(new Set(['CARD_DATA_COLLECTION']));
      await expectNothingCharged(fields);
      const { CARD_NUMBER: _typed, ...others } = typed;
      await typeCard(fields, others);
      await fields.hears({ type: 'state', state: 'READY_FOR_PAYMENT' });
      expect(await flowState(fields.sessionId)).toBe('READY_FOR_PAYMENT');
    }, version1);
  });

  it('all at once typed into, keep what the payer sees', async () => {
    await withFields(async (fields) => {
      await typeCard(fields, { ...typed, CARD_NUMBER: cards.mastercard });
      await fields.hears({ type: 'state', state: 'READY_FOR_PAYMENT' });
      await mountAnew(fields);
      await typeAtOnce(fields);
      await fields.hears({ type: 'state', state: 'READY_FOR_PAYMENT' });
      // What one frame had forgotten after another had handed it over comes again.
      const paid = await eventually(async () => {
        const { status, body } = await opened.site.shop.finalize(fields.sessionId);
        return status === 200 && body;
      });
      expect(JSON.stringify(paid)).toContain('4242');
    }, version1);
  });

  it('in one frame, forget what was typed before when the payer leaves a field', async () => {
    await withFields(
      async (fields) => {
        const { page, inside } = fields;
        for (const [index, fieldId] of cardFieldIds.entries())
          await inside('COMBINED')
            .locator('.field input')
            .nth(index)
            .fill(typed[fieldId] ?? '');
        await fields.hears({ type: 'state', state: 'READY_FOR_PAYMENT' });
        await mountAnew(fields, ['COMBINED']);
        await inside('COMBINED').locator('#cvv').focus();
        await page.focus('#before');
        await fields.hears({ type: 'state', state: 'CARD_DATA_COLLECTION' });
        await expectNothingCharged(fields);
      },
      { fields: ['COMBINED'] },
    );
  });
});

describe('a value that was taken away', () => {
  it('and could not be forgotten is forgotten before the next confirmation', async () => {
    await withFields(async (fields) => {
      const { page, hears, input } = fields;
      await typeWhole(fields, cards.visa);
      await page.route('**/frames/*/SECURITY_CODE', (route) => route.fulfill({ status: 500, body: '{}' }));
      await input('SECURITY_CODE').fill('');
      await hears({ type: 'error', code: 'UNAVAILABLE' });
      expect(await confirm(fields)).toBe(notConfirmed);
      await page.unroute('**/frames/*/SECURITY_CODE');
      expect(await confirm(fields)).toBe(notConfirmed);
      await expectNothingCharged(fields);
    }, version3);
  });

  it('in another frame is not confirmed while that is under way', async () => {
    await withFields(async (fields) => {
      const { page, input, inside } = fields;
      await typeWhole(fields, cards.visa);
      const release = await hold(page, '**/frames/*/SECURITY_CODE');
      await input('SECURITY_CODE').fill('');
      const outcome = confirm(fields);
      // Time for a frame that would not wait.
      await inside('SECURITY_CODE').locator('#cvv-error:not(:empty)').waitFor();
      release();
      expect(await outcome).toBe(notConfirmed);
      await expectNothingCharged(fields);
    }, version3);
  });
});
