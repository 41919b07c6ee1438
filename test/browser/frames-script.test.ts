// The field script as a shop gets it: its size, its integrity value, its types, how loudly it says that something is wrong, and what it makes of a slow network.
import { createHash } from 'node:crypto';
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import ts from 'typescript';
import { createPagesServer } from '../../pages';
import { integrityOfSdk } from '../../pages/assets';
import type { MountOptions } from '../../pages/browser/payment-fields';
import { built as builtFolder } from '../support/built';
import { eventually } from '../support/stores';
import { createFakeCheckout } from './fake-checkout';
import { openFieldSite } from './field-site';
import { hold, typed } from './merchant-site';
import { depsOf, listen } from './page-world';

const opened = openFieldSite();
const { withFields } = opened;

describe('the script', () => {
  it('is small, and its integrity value is the sriHash of every field set', async () => {
    const { body } = await opened.site.shop.build({ more: { merchantUrl: opened.site.origin } });
    const served = await fetch(`${opened.world.urls.pay}/sdk.js`);
    const bytes = Buffer.from(await served.arrayBuffer());
    expect(body.sriHash).toBe(`sha384-${createHash('sha384').update(bytes).digest('base64')}`);
    expect(served.headers.get('content-type')).toContain('text/javascript');
    expect(served.headers.get('access-control-allow-origin')).toBe('*');
    const types = await fetch(`${opened.world.urls.pay}/sdk.d.ts`);
    for (const { headers } of [served, types]) expect(headers.get('cache-control')).toBe('public, no-cache');
    expect(bytes.length).toBeGreaterThan(2_000);
    expect(bytes.length).toBeLessThan(10_000);
  });

  it('has types that a shop can rely on, and that know what is wrong', async () => {
    const declared = await (await fetch(`${opened.world.urls.pay}/sdk.d.ts`)).text();
    const mistakes: Record<string, [string, string[]]> = {
      noFieldSet: ['mount({ fieldSet: { sessionId: 1 }, containers: {} });', ['TS2322', 'TS2739']],
      noToken: ["mount({ fieldSet, containers: {}, theme: { colour: 'red' } });", ['TS2561', 'TS2353']],
      noFont: ["mount({ fieldSet, containers: {}, theme: { font: 'Comic' } });", ['TS2322']],
      noEvent: ["mount({ fieldSet, containers: {}, onEvent: (e) => e.type === 'paid' });", ['TS2367']],
    };
    const programs = Object.entries(mistakes).map(([name, [line]]) => [`${name}.ts`, goodProgram + line]);
    const found = complaintsAbout({ 'sdk.d.ts': declared, 'good.ts': goodProgram, ...Object.fromEntries(programs) });
    expect([found['good.ts'], found['sdk.d.ts']]).toEqual([undefined, undefined]);
    for (const [name, [, codes]] of Object.entries(mistakes)) expect(codes).toContain(found[`${name}.ts`]?.[0]);
  });

  it.each([
    ['no element', { CARD_NUMBER: '#nowhere' }, 'there is no element #nowhere for CARD_NUMBER'],
    ['an input', { CARD_NUMBER: '#own' }, 'needs a container such as a div, not <input>'],
    ['an unknown field', { PIN: '#place-GDI' }, 'the order has no field PIN'],
  ])('says loudly that a field got %s', async (_case, containers, text) => {
    await withFields(async ({ page, built }) => {
      await page.evaluate(`start(${JSON.stringify({ fieldSet: built, containers })})`);
      expect(await page.evaluate('refusal')).toContain(text);
    });
  });

  it('does not run with another integrity value than the order names', async () => {
    await withFields(async ({ page, built, hears }) => {
      const fieldSet = { ...built, sriHash: 'sha384-AAAA' };
      await page.evaluate(`start(${JSON.stringify({ fieldSet, containers: {} })})`);
      await hears({ type: 'error', code: 'INTEGRITY_MISMATCH' });
      const refusals: string[] = [];
      page.on('console', (message) => refusals.push(message.text()));
      const other = `${opened.site.origin}/?integrity=${encodeURIComponent(`sha384-${'A'.repeat(64)}`)}`;
      await page.goto(other);
      expect(await page.evaluate('typeof window.PaymentFields')).toBe('undefined');
      await eventually(() => refusals.join().includes('integrity'));
    });
  });

  it('is asked for anew by a browser that has it, so that the fields come after a release too', async () => {
    await withFields(async ({ page, built, hears }) => {
      await withTwoReleases(async ({ address, former, next, release }) => {
        const shown = (integrity: string) =>
          page.goto(`${opened.site.origin}/?${new URLSearchParams({ pay: address, integrity })}`);
        await shown(former);
        expect(await page.evaluate('typeof window.PaymentFields')).toBe('object');
        release();
        await shown(next);
        const containers = { CARD_NUMBER: '#place-CARD_NUMBER' };
        const fieldSet = { ...built, sriHash: next };
        await page.evaluate(`start(${JSON.stringify({ fieldSet, containers })})`);
        await hears({ type: 'ready', fieldId: 'CARD_NUMBER' });
      });
    });
  });
});

describe('a slow network', () => {
  const remount = (page: Page, built: unknown, options: Partial<MountOptions> = {}) => {
    const containers = { CARD_NUMBER: '#place-CARD_NUMBER', SECURITY_CODE: '#place-SECURITY_CODE' };
    const mounting = JSON.stringify({ fieldSet: built, containers, ...options });
    return page.evaluate(`mounted.unmount(); heard.length = 0; start(${mounting})`);
  };

  it('leaves a note where a frame is late, and takes it away when the frame comes', async () => {
    await withFields(async ({ page, built, input, hears }) => {
      const notes = page.locator('[role=alert]');
      const release = await hold(page, '**/frames/**');
      await remount(page, built, { frameTimeoutMs: 200 });
      await hears({ type: 'error', fieldId: 'CARD_NUMBER', code: 'FRAME_BLOCKED' });
      expect(await notes.first().textContent()).toBe('This card field could not be loaded.');
      release();
      await hears({ type: 'ready', fieldId: 'CARD_NUMBER' });
      await hears({ type: 'ready', fieldId: 'SECURITY_CODE' });
      expect(await notes.count()).toBe(0);
      await input('CARD_NUMBER').fill(typed['CARD_NUMBER'] ?? '');
      await hears({ type: 'valid', fieldId: 'CARD_NUMBER' });
    });
  });

  it('knows the length of the security code in a frame that came after the number was typed', async () => {
    await withFields(async ({ page, built, input, hears }) => {
      const release = await hold(page, '**/frames/*/SECURITY_CODE*');
      await remount(page, built);
      await hears({ type: 'ready', fieldId: 'CARD_NUMBER' });
      await input('CARD_NUMBER').fill('378282246310005');
      await hears({ type: 'valid', fieldId: 'CARD_NUMBER' });
      release();
      await hears({ type: 'ready', fieldId: 'SECURITY_CODE' });
      await input('SECURITY_CODE').fill('1234');
      await hears({ type: 'valid', fieldId: 'SECURITY_CODE' });
    });
  });

  it('loses nothing that was typed before the script of a frame ran', async () => {
    await withFields(async ({ page, built, input, hears }) => {
      const release = await hold(page, '**/assets/frame*.js');
      await remount(page, built);
      await input('SECURITY_CODE').fill('12');
      await input('CARD_NUMBER').fill(typed['CARD_NUMBER'] ?? '');
      release();
      await hears({ type: 'valid', fieldId: 'CARD_NUMBER' });
      await hears({ type: 'brand', brand: 'VISA' });
      await hears({ type: 'error', fieldId: 'SECURITY_CODE', message: 'The security code has 3 digits' });
      expect(await input('CARD_NUMBER').inputValue()).toBe('4242 4242 4242 4242');
    });
  });
});

const goodProgram = `
import type { FieldSet } from './sdk';
declare const fieldSet: FieldSet;
const { mount } = window.PaymentFields;
const fields = mount({
  fieldSet, merchantOrigin: location.origin, theme: { colorText: '#111', radius: 4 },
  containers: { CARD_NUMBER: '#number', SECURITY_CODE: document.body },
  onEvent: ({ type, state }) => { if (type === 'state' && state === 'READY_FOR_PAYMENT') fields.focus('CARD_NUMBER'); },
});
fields.confirm().then((state: string) => state, () => fields.unmount());
`;

interface Releases {
  address: string;
  /** Integrity values of their field scripts. */
  former: string;
  next: string;
  /** From now on the address serves the next one. */
  release(): void;
}

/** Payment pages at one address, of this release and of one with another field script. */
async function withTwoReleases(run: (releases: Releases) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'release-'));
  await cp(builtFolder('pages'), join(root, 'pages'), { recursive: true });
  await appendFile(join(root, 'pages/browser/sdk.js'), '// The next release.\n');
  const deps = depsOf(createFakeCheckout(() => ({ pay: '', acs: '' })));
  const [formerPages, nextPages] = [createPagesServer(deps), createPagesServer({ ...deps, root })];
  let serving = formerPages;
  const server = createServer((request, response) => void serving.server.emit('request', request, response));
  try {
    await run({
      address: await listen(server),
      former: integrityOfSdk(deps.root),
      next: integrityOfSdk(root),
      release: () => {
        serving = nextPages;
      },
    });
  } finally {
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
    await rm(root, { recursive: true });
  }
}

/** Codes of what the compiler says about each file. */
function complaintsAbout(files: Record<string, string>): Partial<Record<string, string[]>> {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    types: [],
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    skipDefaultLibCheck: true,
  };
  const host = ts.createCompilerHost(options);
  const onDisk = host.getSourceFile.bind(host);
  const own = (path: string) => files[basename(path)];
  host.fileExists = (path) => own(path) !== undefined || ts.sys.fileExists(path);
  host.readFile = (path) => own(path) ?? ts.sys.readFile(path);
  host.getSourceFile = (path, target) => {
    const text = own(path);
    return text === undefined ? onDisk(path, target) : ts.createSourceFile(path, text, target);
  };
  const program = ts.createProgram(Object.keys(files), options, host);
  const complaints: Partial<Record<string, string[]>> = {};
  for (const { file, code } of ts.getPreEmitDiagnostics(program)) {
    const name = basename(file?.fileName ?? 'options');
    complaints[name] = [...(complaints[name] ?? []), `TS${code}`];
  }
  return complaints;
}
