// The programs of docs/encryption.md as they stand there: what each seals is taken by the running program, and each opens what comes back.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { transformSync } from 'esbuild';
import { accountExpiry } from '../support/expiry';
import { freshCardNumber, type Partner, partnerOf } from '../support/partner';
import { sharedWorld, type World } from '../support/world';

const root = resolve(__dirname, '../..');
const page = readFileSync(join(root, 'docs/encryption.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'recipes-'));
let world: World;
let partner: Partner;

beforeAll(async () => {
  world = await sharedWorld();
  partner = await partnerOf(world, 'alpha');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'private-jwk.json'), JSON.stringify(partner.credentials.privateJwk));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world?.stop();
});

interface Recipe {
  fence: string;
  file: string;
  command: string;
  /** Succeeds where the language and what the page asks for are there. */
  probe: string[];
}

const languages: readonly Recipe[] = [
  { fence: 'ts', file: 'recipe.mjs', command: process.execPath, probe: ['--version'] },
  {
    fence: 'python',
    file: 'recipe.py',
    command: 'python3',
    probe: ['-c', 'import cryptography.hazmat.primitives.ciphers.aead'],
  },
  { fence: 'java', file: 'Recipe.java', command: 'java', probe: ['--source', '17', '--version'] },
];
const isThere = ({ command, probe }: Recipe) => spawnSync(command, probe, { stdio: 'ignore' }).status === 0;
/** Node is always there; what else is, the name of the first test says. */
const here = languages.filter(isThere);

/** Runs the page's program; resolves with what it printed. */
function run({ fence, file, command }: Recipe, args: string[], input: string): Promise<string> {
  const [, text = ''] = new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  const code = fence === 'ts' ? transformSync(text, { loader: 'ts', format: 'esm' }).code : text;
  writeFileSync(join(folder, file), code);
  return new Promise((done, refuse) => {
    const child = spawn(command, [join(folder, file), ...args], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
    let [printed, complained] = ['', ''];
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    child.stderr.on('data', (chunk) => {
      complained += chunk;
    });
    child.once('error', refuse);
    child.once('close', (status) => (status === 0 ? done(printed.trim()) : refuse(new Error(complained))));
    child.stdin.end(input);
  });
}

test(`the page has a program in ${languages.map(({ fence }) => fence).join(', ')}; here are ${here.map(({ fence }) => fence).join(', ')}`, () => {
  const fences = [...page.matchAll(/```(\w+)\n/g)].map(([, fence]) => fence);
  expect(fences).toEqual(languages.map(({ fence }) => fence));
  expect(here[0]?.fence).toBe('ts');
});

describe.each(here)('$fence', (recipe) => {
  it('seals what the token service takes, and opens its answer', async () => {
    const payload = JSON.stringify({ account: freshCardNumber(), accountExpiry });
    const encryptedData = await run(recipe, ['seal', `${world.urls.rest}/.well-known/jwks.json`], payload);
    const body = { merchantInfo: { merchantId: partner.credentials.merchantId }, accountInfo: { encryptedData } };
    const created = await partner.call('POST', '/virtual-accounts/token', body);
    expect([created.status, created.text]).toEqual([201, expect.any(String)]);
    const opened = JSON.parse(await run(recipe, ['open', 'private-jwk.json'], created.body.encryptedData));
    expect(opened).toEqual(await partner.open(created.body.encryptedData));
    expect(opened.token).toMatch(/^\d{16}$/);
  });

  it('refuses what was altered', async () => {
    const { encryptedData } = (await partner.createToken({ account: freshCardNumber(), accountExpiry })).body;
    const parts = encryptedData.split('.');
    parts[4] = parts[4].replace(/^./, (letter: string) => (letter === 'A' ? 'B' : 'A'));
    await expect(run(recipe, ['open', 'private-jwk.json'], parts.join('.'))).rejects.toThrow();
  });
});
