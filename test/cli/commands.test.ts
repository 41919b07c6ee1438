// `pay token`, `cards` and `events`: results, refusals with their exit codes, resuming by cursor, and no secret on any stream.
import { accessToken, clientSecret, cursorOf, type Item, type MiniaturePlatform, openPlatform } from './platform';
import { bundleCommandLine, type Ended, runCommand, temporaryFile } from './running';

let file: string;
let platform: MiniaturePlatform;
const pay = (args: string[]): Promise<Ended> => runCommand(file, ['--credentials', platform.credentialsPath, ...args]);
const basic = (clientId: string) => `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

beforeAll(() => {
  file = bundleCommandLine();
});
beforeEach(async () => {
  platform = await openPlatform();
});
afterEach(() => platform.close());

describe('usage', () => {
  it.each<[string, string[], string]>([
    ['an unknown command, with a suggestion', ['tokn'], 'token'],
    ['an unknown option', ['token', '--tenat', 'alpha'], '--tenant'],
    ['a missing argument', ['jwe', 'seal'], 'file'],
    ['a missing merchant', ['events', 'tail'], '--merchant'],
    ['a count that is none', ['events', 'tail', '--merchant', 'm', '--count', '0'], 'at least 1'],
    ['events of something else', ['events', 'tail', '--merchant', 'm', '--of', 'payouts'], 'operations'],
    ['a client that no tenant has', ['token', '--client', 'reporting'], 'payments'],
    ['a graph client that does not exist', ['token', '--graph', 'root'], 'admin'],
  ])('answers %s with code 2', async (_case, args, message) => {
    const ended = await pay(args);
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('prints help with examples and exit codes, uncoloured when piped', async () => {
    const ended = await pay(['--help']);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('Exit codes: 0 done');
    expect(ended.stdout).toContain('pay jwe seal -');
    expect(ended.stdout).not.toContain('\u001b[');
  });

  it.each<[string, string]>([
    ['not JSON', '{'],
    ['not a credentials file', '{"urls":{}}'],
  ])('refuses a credentials file that is %s with code 3', async (_case, content) => {
    const ended = await runCommand(file, ['--credentials', temporaryFile('credentials.json', content), 'token']);
    expect(ended).toMatchObject({ code: 3, stdout: '' });
  });

  it('names the missing credentials file and what to do about it', async () => {
    const ended = await runCommand(file, ['--credentials', '/nowhere/credentials.json', 'token']);
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringMatching(/nowhere.*ENOENT.*npm start/) });
  });
});

describe('token', () => {
  it('prints only the access token, got with the client of the tenant by Basic and form', async () => {
    const ended = await pay(['token', '--scope', 'mts:token']);
    expect(ended).toEqual({ code: 0, stdout: `${accessToken}\n`, stderr: '' });
    expect(platform.seen[0]).toMatchObject({
      method: 'POST',
      path: '/token',
      headers: { authorization: basic('tokenization-alpha') },
    });
    expect(Object.fromEntries(new URLSearchParams(platform.seen[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      scope: 'mts:token',
    });
  });

  it('takes a graph client, and tells the lifetime in JSON', async () => {
    const ended = await pay(['token', '--graph', 'viewer', '--json']);
    expect(JSON.parse(ended.stdout)).toEqual({ accessToken, expiresInSeconds: 3600 });
    expect(platform.seen[0]?.headers.authorization).toBe(basic('graph-viewer'));
  });

  it("takes the tenant's client of the payment service", async () => {
    const ended = await pay(['token', '--client', 'payments']);
    expect(ended).toMatchObject({ code: 0, stdout: `${accessToken}\n` });
    expect(platform.seen[0]?.headers.authorization).toBe(basic('payments-alpha'));
  });

  it.each([
    [401, { error: 'invalid_client' }, 4, 'invalid_client'],
    [429, { error: 'slow_down' }, 4, '429'],
    [503, { message: 'away' }, 5, '503'],
  ])('turns a %i of the authorization server into its exit code', async (status, json, code, message) => {
    platform.override = () => ({ status, json });
    const ended = await pay(['token']);
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(ended.stderr).not.toContain(clientSecret);
  });

  it('says with code 5 that nothing answers', async () => {
    await platform.close();
    expect(await pay(['token'])).toMatchObject({ code: 5, stderr: expect.stringContaining('ECONNREFUSED') });
  });
});

describe('cards', () => {
  it('prints the table of the platform, asked with the sandbox key', async () => {
    const ended = await pay(['cards']);
    expect(ended).toMatchObject({ code: 0, stdout: 'number            outcome\n4242424242424242  accepted\n' });
    expect(platform.seen[0]?.headers['x-sandbox-key']).toBe('sandbox-key');
  });

  it('answers an empty list with code 5', async () => {
    platform.override = () => ({ json: [] });
    expect(await pay(['cards'])).toMatchObject({ code: 5, stdout: '' });
  });
});

describe('events tail', () => {
  const args = ['events', 'tail', '--merchant', 'merchant-alpha-1', '--json'];
  const cursors = ({ stdout }: Ended) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as Item).cursor);

  beforeEach(() => {
    platform.log.push(...[1, 2, 3, 4, 5].map(item));
  });

  it('replays after a cursor and ends after the count', async () => {
    const ended = await pay([...args, '--after', cursorOf(2), '--count', '2']);
    expect(ended.code).toBe(0);
    expect(cursors(ended)).toEqual([cursorOf(3), cursorOf(4)]);
    expect(platform.resumedAfter).toEqual([cursorOf(2)]);
  });

  it.each([1001, 1012, 4490])(
    'comes back after close code %i from the last cursor it has seen: nothing twice, nothing missing',
    async (code) => {
      platform.cutAfter = { items: 2, code };
      const ended = await pay([...args, '--count', '5']);
      expect(ended.code).toBe(0);
      expect(cursors(ended)).toEqual([1, 2, 3, 4, 5].map(cursorOf));
      expect(platform.resumedAfter).toEqual([undefined, cursorOf(2)]);
    },
  );

  it('waits for an authorization server that is away while it comes back', async () => {
    platform.cutAfter = { items: 2, code: 1012 };
    let refusals = 0;
    platform.override = ({ path }) => {
      const isAway = path === '/token' && platform.resumedAfter.length === 1 && refusals < 2;
      if (!isAway) return null;
      refusals += 1;
      return { status: 503, json: { message: 'starting' } };
    };
    const ended = await pay([...args, '--count', '5']);
    expect({ code: ended.code, refusals }).toEqual({ code: 0, refusals: 2 });
    expect(cursors(ended)).toEqual([1, 2, 3, 4, 5].map(cursorOf));
  });

  it('comes back after refusals that pass, from the last cursor it has seen', async () => {
    platform.refusals.push('unavailable', 'rateLimited', 'internal');
    const ended = await pay([...args, '--after', cursorOf(2), '--count', '3']);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('refused as rateLimited') });
    expect(cursors(ended)).toEqual([3, 4, 5].map(cursorOf));
    expect(platform.resumedAfter).toEqual([2, 2, 2, 2].map(cursorOf));
  });

  it.each([
    ['notFound', [], 4],
    ['unavailable', ['--once'], 5],
  ])('does not come back after a refusal as %s with %j', async (refusal, options, code) => {
    platform.refusals.push(refusal);
    const ended = await pay([...args, ...options]);
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(`refused as ${refusal}`) });
    expect(platform.resumedAfter).toHaveLength(1);
  });

  it('stays away when told to, with code 5', async () => {
    platform.cutAfter = { items: 2, code: 1001 };
    const ended = await pay([...args, '--once']);
    expect(ended).toMatchObject({ code: 5, stderr: expect.stringContaining('1001') });
    expect(cursors(ended)).toEqual([cursorOf(1), cursorOf(2)]);
  });

  it('does not come back after a close code that would only repeat', async () => {
    platform.cutAfter = { items: 0, code: 4400 };
    expect(await pay(args)).toMatchObject({ code: 4, stderr: expect.stringContaining('4400') });
  });

  it('says a gap aloud and goes on', async () => {
    platform.log[1] = { ...item(2), type: 'GAP', virtualAccount: null };
    const ended = await pay([...args, '--count', '3']);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('GAP') });
    expect(cursors(ended)).toHaveLength(3);
  });

  it('prints one line per item for people, with the cursor to resume from', async () => {
    const ended = await pay(['events', 'tail', '--merchant', 'merchant-alpha-1', '--count', '1']);
    expect(ended.stdout).toMatch(
      /^2031-01-01T00:00:01\.000Z {2}virtualAccount\.suspended +#1 {2}account-1 SUSPENDED {2}after=\S+\n$/,
    );
  });
});

describe('events tail --of operations', () => {
  const args = ['events', 'tail', '--merchant', 'merchant-alpha-1', '--of', 'operations'];
  const operation = {
    operationId: 'operation-1',
    orderId: 'order-17',
    operationAmount: '5000',
    operationCurrency: 'EUR',
  };
  const recorded = (position: number, more: Partial<Item> = {}): Item => ({
    ...item(position),
    type: 'operation.recorded',
    virtualAccount: undefined,
    operation,
    operationType: 'AUTHORIZATION',
    operationResult: 'AUTHORIZED',
    ...more,
  });

  it('prints what happened to which order, as it was at that moment', async () => {
    platform.log.push(recorded(1), recorded(2, { operation: { ...operation, orderId: null } }));
    const ended = await pay([...args, '--count', '2']);
    expect(ended.code).toBe(0);
    const [first = '', second = ''] = ended.stdout.trim().split('\n');
    expect(first).toMatch(
      /^2031-01-01T00:00:01\.000Z {2}operation\.recorded +#1 {2}AUTHORIZATION AUTHORIZED 5000 EUR {2}order order-17 {2}operation-1 {2}after=\S+$/,
    );
    expect(second).toContain('5000 EUR  operation-1');
  });

  it('resumes by cursor and says a gap aloud, as for tokens', async () => {
    const gap = { type: 'GAP', operation: null, operationType: null, operationResult: null };
    platform.log.push(recorded(1), recorded(2, gap), recorded(3));
    platform.cutAfter = { items: 1, code: 1012 };
    const ended = await pay([...args, '--count', '3']);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('GAP') });
    expect(platform.resumedAfter).toEqual([undefined, cursorOf(1)]);
    expect(ended.stdout.split('\n')[1]).toMatch(/GAP +#2 {2}- {2}after=/);
  });
});

describe('events resend', () => {
  it('asks the graph as staff and prints the unchanged event id', async () => {
    const ended = await pay(['events', 'resend', 'callback-7']);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/callback-7.*event-1/) });
    expect(platform.seen[0]?.headers.authorization).toBe(basic('graph-admin'));
  });

  it('turns a refusal of the graph into code 4 with its code', async () => {
    platform.override = ({ path }) =>
      path === '/graphql'
        ? { json: { data: null, errors: [{ message: 'absent', extensions: { code: 'notFound' } }] } }
        : null;
    expect(await pay(['events', 'resend', 'x'])).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('notFound'),
    });
  });
});

function item(position: number): Item {
  return {
    eventId: `event-${position}`,
    sequence: position,
    cursor: cursorOf(position),
    occurredAt: `2031-01-01T00:00:0${position}.000Z`,
    type: 'virtualAccount.suspended',
    virtualAccount: { virtualAccountId: `account-${position}`, state: 'SUSPENDED' },
  };
}
