// The commands of the guide pages, each page pasted literally into a bash of its own next to a running program: they show what the pages promise.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { built } from '../support/built';
import { startWorld, type World } from '../support/world';

const root = resolve(__dirname, '../..');
let world: World;
let folder: string;

beforeAll(async () => {
  world = await startWorld();
  folder = mkdtempSync(join(tmpdir(), 'pages-'));
  symlinkSync(built(''), `${folder}/dist`);
  symlinkSync(world.dataDir, join(folder, '.data'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world?.stop();
});

/** Everything that the page's commands print. */
function paste(page: string): { stdout: string; stderr: string } {
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  const script = [...text.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n');
  const { status, stdout, stderr } = spawnSync('bash', ['-s'], { cwd: folder, input: script, encoding: 'utf8' });
  expect([page, status]).toEqual([page, 0]);
  return { stdout, stderr };
}

it.each<[string, RegExp]>([
  [
    'payments.md',
    /^http:\/\/127\.0\.0\.1:\d+\/pay\/[0-9a-f-]{36}\n\{"state":"Authorized"\}(\{"paymentId":"[0-9a-f-]{36}","transactionRef":"[0-9a-f-]{36}"\}){2}PartiallyRefunded\n$/,
  ],
  [
    'onboarding.md',
    /^\{"id":\d+,"verificationLink":"http[^"]+sign_[^"]+","merchantId":"[0-9a-f]{32}"\}\n\{"application":\{.*"status":"INITIATED".*\{"status":"AWAITING_SIGNATURE"\}\{"status":"PROCESSING"\}\{"status":"APPROVED"\}$/s,
  ],
  [
    'administration.md',
    /^\{"id":"nordlys-1"\}\{[^}]*"4002"[^}]*\}\{"id":"nordlys-1"\}\{[^}]*"4004"[^}]*\}\{"id":"nordlys-1"\}202\n$/,
  ],
])('docs/%s', (page, expected) => {
  const { stdout, stderr } = paste(page);
  expect(stdout).toMatch(expected);
  expect(stderr).toBe('');
});

it('knows every page with commands', () => {
  // The README and a merchant's life are pasted by the walk-through.
  const walked = new Set(['merchant-life.md']);
  const pages = readdirSync(join(root, 'docs')).filter((page) => page.endsWith('.md') && !walked.has(page));
  const withCommands = pages.filter((page) => /```(bash|sh)\n/.test(readFileSync(join(root, 'docs', page), 'utf8')));
  expect(withCommands).toEqual(['administration.md', 'onboarding.md', 'payments.md']);
});
