// `pay doctor`: every check from the outside, the cause before what follows from it, and no secret on any stream.
import { chmodSync } from 'node:fs';
import { accessToken, apiKey, clientSecret, type MiniaturePlatform, openPlatform } from './platform';
import { bundleCommandLine, type Ended, runCommand } from './running';

let file: string;
let platform: MiniaturePlatform;
const pay = (args: string[]): Promise<Ended> => runCommand(file, ['--credentials', platform.credentialsPath, ...args]);

beforeAll(() => {
  file = bundleCommandLine();
});
beforeEach(async () => {
  platform = await openPlatform();
});
afterEach(() => platform.close());

describe('doctor', () => {
  it('finds nothing wrong with a whole platform, and shows no secret', async () => {
    const ended = await pay(['doctor']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const lines = ended.stdout.trim().split('\n');
    expect(lines).toHaveLength(18);
    expect(ended.stdout).toContain('takes CARDS, PAYPAL');
    expect(ended.stdout + ended.stderr).not.toContain(apiKey);
    expect(lines.every((line) => line.startsWith('ok '))).toBe(true);
    expect(ended.stdout + ended.stderr).not.toContain(clientSecret);
    expect(ended.stdout).not.toContain(accessToken);
  });

  it('goes on after a failed check, names it, and ends with code 1', async () => {
    platform.override = ({ path }) => (path === '/readyz' ? { status: 503, text: 'mongo' } : null);
    const ended = await pay(['doctor', '--json']);
    expect(ended.code).toBe(1);
    const report = JSON.parse(ended.stdout) as { isHealthy: boolean; checks: { check: string; isGood: boolean }[] };
    expect(report.isHealthy).toBe(false);
    expect(report.checks.filter((check) => !check.isGood).map((check) => check.check)).toEqual([
      'REST is ready',
      'payment pages',
      'demo shop',
      'simulated issuer',
    ]);
  });

  it('says first what the others fail with', async () => {
    const text = JSON.stringify({ status: 'not ready', dependencies: { mongodb: 'down', redis: 'up' } });
    platform.override = ({ path }) => (path === '/healthz' ? null : { status: 503, text });
    const ended = await pay(['doctor']);
    const [first] = ended.stdout.split('\n');
    expect([ended.code, first]).toEqual([1, expect.stringContaining('Cause: MongoDB cannot be reached by the inst')]);
    expect(ended.stderr).toMatch(/^pay: \d+ of \d+ checks failed; first of all: MongoDB cannot be reached[^\n]*\n$/);
    const { cause } = JSON.parse((await pay(['doctor', '--json'])).stdout) as { cause: string };
    expect(cause).toContain('MongoDB');
  });

  it('says first that nothing runs', async () => {
    const path = platform.credentialsPath;
    await platform.close();
    const ended = await runCommand(file, ['--credentials', path, 'doctor']);
    expect(ended.stdout.split('\n')[0]).toMatch(/^Cause: \S+\/healthz does not answer .* Is the installation running/);
  });

  it.each([
    ['consumer key of alpha', '/ms/naa/'],
    ['partner key of alpha', '/partner/'],
    ['merchant reporting key of alpha', '/report/'],
  ])('finds that the %s no longer works', async (check, place) => {
    platform.override = ({ path }) => (path.startsWith(place) ? { status: 401, json: {} } : null);
    const ended = await pay(['doctor']);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(new RegExp(`FAILED  ${check} +\\S+ answered 401`));
  });

  it('finds fault with a credentials file that others can read', async () => {
    chmodSync(platform.credentialsPath, 0o644);
    expect(await pay(['doctor'])).toMatchObject({ code: 1, stdout: expect.stringContaining('chmod 600') });
  });
});
