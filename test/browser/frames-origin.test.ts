// The two sides of the card fields trust each other and nobody else: registered origin, forged messages, hostile looks.
import { eventually } from '../support/stores';
import { openFieldSite } from './field-site';
import { type FieldPage } from './merchant-site';

const opened = openFieldSite();
const { withFields } = opened;

/** Waits until both sides have had their turn: a message sent after the forged ones has come through. */
async function roundTrip({ page, heard }: FieldPage): Promise<void> {
  const before = (await heard()).length;
  await page.evaluate('mounted.check()');
  await eventually(async () => {
    const told = (await heard()).slice(before);
    if (told.some(({ type }) => type === 'error')) return true;
    throw new Error(`the field says nothing to check(): ${JSON.stringify(told)}`);
  });
}

describe('the origin', () => {
  it('that was registered, and no other, may frame a field', async () => {
    await withFields(async ({ built }) => {
      for (const { src } of built.fields) {
        const policy = (await fetch(src)).headers.get('content-security-policy') ?? '';
        expect(/frame-ancestors ([^;]*)/.exec(policy)?.[1]).toBe(opened.site.origin);
        expect(policy).not.toMatch(/unsafe|\*/);
      }
    });
  });

  it('that is another one gets no field, and is told so', async () => {
    await withFields(
      async ({ page, hears, inside }) => {
        const refusals: string[] = [];
        page.on('console', (message) => refusals.push(message.text()));
        const blocked = await hears({ type: 'error', fieldId: 'CARD_NUMBER', code: 'FRAME_BLOCKED' });
        expect(blocked.message).toContain(opened.site.foreign);
        expect(await page.locator('#place-CARD_NUMBER [role=alert]').textContent()).toContain('could not be loaded');
        expect(await inside('CARD_NUMBER').locator('input').count()).toBe(0);
      },
      { isForeign: true, options: { frameTimeoutMs: 1_500 } },
    );
  });

  it('that the page names itself must be its own', async () => {
    await withFields(
      async ({ page, hears }) => {
        await hears({ type: 'error', code: 'WRONG_ORIGIN' });
        expect(await page.locator('iframe').count()).toBe(0);
        expect(await page.evaluate('refusal')).toContain(`the order was built for ${opened.site.origin}`);
      },
      { isForeign: true, options: { merchantOrigin: opened.site.origin } },
    );
  });

  it('that is not registered for the terminal cannot build an order', async () => {
    const { status, body } = await opened.site.shop.build({ more: { merchantUrl: 'https://elsewhere.example' } });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('GW0001')]);
  });

  it('of another page cannot post into a field', async () => {
    await withFields(async ({ built, sessionId }) => {
      for (const [path, body] of [
        ['CARD_NUMBER', { value: '4242424242424242' }],
        ['device-check', { passed: true }],
        ['confirm', {}],
      ] as const) {
        const answer = await fetch(`${opened.world.urls.pay}/frames/${sessionId}/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
          body: JSON.stringify(body),
        });
        expect([path, answer.status]).toEqual([path, 403]);
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      }
      expect((await opened.site.shop.state(sessionId)).body.state).toBe(built.state);
    });
  });
});

describe('forged messages', () => {
  it.each([
    ['a neighbour of another origin', () => opened.site.foreign],
    ["a neighbour of the shop's own origin", () => opened.site.origin],
  ])('of %s reach neither the page nor the field', async (_case, at) => {
    await withFields(async (fields) => {
      const { page, heard, inside } = fields;
      const height = await page.evaluate("document.querySelector('#place-CARD_NUMBER iframe').style.height");
      await page.evaluate(`new Promise((loaded) => {
        const frame = document.createElement('iframe');
        frame.id = 'thief'; frame.src = ${JSON.stringify(`${at()}/thief`)}; frame.onload = loaded;
        document.body.append(frame);
      })`);
      const before = (await heard()).length;
      await page
        .frames()
        .find((frame) => frame.url().endsWith('/thief'))
        ?.evaluate('attack()');
      await roundTrip(fields);
      const told = (await heard()).slice(before);
      expect(told.map(({ type, code }) => [type, code])).toEqual([['error', 'INVALID']]);
      expect(await inside('CARD_NUMBER').locator('label').textContent()).toBe('Card number');
      expect(await inside('CARD_NUMBER').locator('html').getAttribute('style')).not.toContain('rgb(255, 0, 0)');
      expect(await page.evaluate("document.querySelector('#place-CARD_NUMBER iframe').style.height")).not.toBe(
        '1999px',
      );
      expect(height).not.toBe('');
    });
  });

  it('of a document that took the place of a field are ignored: the origin is looked at, not only the window', async () => {
    await withFields(async ({ page, heard }) => {
      const before = (await heard()).length;
      await page.evaluate(`new Promise((loaded) => {
        const frame = document.querySelector('#place-CARD_NUMBER iframe');
        frame.onload = loaded; frame.src = ${JSON.stringify(`${opened.site.foreign}/thief`)};
      })`);
      await page
        .frames()
        .find((frame) => frame.url().endsWith('/thief'))
        ?.evaluate('attack()');
      await page.evaluate(
        "new Promise((done) => { addEventListener('message', done, { once: true }); postMessage('last', '*'); })",
      );
      expect((await heard()).slice(before).filter(({ type }) => type === 'state')).toEqual([]);
    });
  });

  it('that are no messages of ours change nothing', async () => {
    await withFields(async (fields) => {
      for (const message of [
        'null',
        '"configure"',
        '{ type: "focus" }',
        '{ channel: "payment-fields/0", type: "configure", theme: { radius: 31 } }',
      ])
        await fields.page.evaluate(`document.querySelector('iframe').contentWindow.postMessage(${message}, '*')`);
      await roundTrip(fields);
      expect(await fields.inside('CARD_NUMBER').locator('html').getAttribute('style')).not.toContain('31px');
      expect((await fields.heard()).some(({ type }) => type === 'focus')).toBe(false);
    });
  });
});

describe('looks', () => {
  it('take tokens', async () => {
    const theme = {
      colorText: '#102030',
      colorBackground: '#fefefe',
      radius: 20,
      fontSize: 18,
      font: 'serif',
      density: 'compact',
    } as const;
    await withFields(
      async ({ inside }) => {
        const style = await inside('CARD_NUMBER').locator('html').getAttribute('style');
        for (const part of ['#102030', '#fefefe', '20px', '18px', 'Georgia']) expect(style).toContain(part);
        expect(await inside('CARD_NUMBER').locator('html').getAttribute('data-density')).toBe('compact');
      },
      { options: { theme } },
    );
  });

  it.each<[string, object]>([
    ['a colour that goes on', { colorText: '#fff; background: url(https://evil.example/a)' }],
    ['a colour that ends the rule', { colorBackground: '#ffffff} body { display: none' }],
    ['a colour by function', { colorAccent: 'url(https://evil.example/b)' }],
    ['a colour that is no text', { colorError: { toString: 1 } }],
    ['a radius as text', { radius: '10px; position: fixed' }],
    ['a radius that covers all', { radius: 1e9 }],
    ['a size that is no number', { fontSize: Number.NaN }],
    ['a font by address', { font: 'url(https://evil.example/font)' }],
    ['a font out of a prototype', { font: 'constructor' }],
    ['a density with markup', { density: '"><img src=https://evil.example/c>' }],
    ['a property of its own', { '--surface': 'red', position: 'fixed', style: 'display:none' }],
  ])('are nothing but tokens: %s', async (_case, theme) => {
    await withFields(async (fields) => {
      const root = fields.inside('CARD_NUMBER').locator('html');
      const plain = await root.getAttribute('style');
      await fields.page.evaluate(`mounted.setTheme(${JSON.stringify(theme)})`);
      await roundTrip(fields);
      expect([await root.getAttribute('style'), await root.getAttribute('data-density')]).toEqual([plain, 'normal']);
    });
  });

  it('words are text, and no more than a line of it', async () => {
    const labels = { CARD_NUMBER: { label: '<img src=x onerror=alert(1)>', error: 'x'.repeat(900) } };
    await withFields(
      async (fields) => {
        await roundTrip(fields);
        const field = fields.inside('CARD_NUMBER');
        expect(await field.locator('label').textContent()).toBe('<img src=x onerror=alert(1)>');
        expect(await field.locator('img').count()).toBe(0);
        expect(await field.locator('#number-error').textContent()).toBe('x'.repeat(200));
      },
      { options: { labels } },
    );
  });

  it('that cannot be read well are told to the one who chose them', async () => {
    await withFields(async ({ page }) => {
      const warnings: string[] = [];
      page.on('console', (message) => warnings.push(message.text()));
      await page.evaluate("mounted.setTheme({ colorText: '#777777', colorBackground: '#888888' })");
      await eventually(() => warnings.some((text) => text.includes('colorText has a contrast of')));
    });
  });
});
