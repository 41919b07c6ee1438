// The README's walk-through and a merchant's life, pasted literally into bash next to a running program: every command of them works and shows what it promises.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { built } from '../support/built';
import { startWorld, type World } from '../support/world';

const root = resolve(__dirname, '../..');
/** Some hundred small programs one after the other: room for a machine that is several times slower. */
const timeoutMs = 800_000;
let world: World;
let folder: string;
let output: { stdout: string; stderr: string };

beforeAll(async () => {
  world = await startWorld();
  folder = mkdtempSync(join(tmpdir(), 'walk-'));
  symlinkSync(built(''), `${folder}/dist`);
  symlinkSync(world.dataDir, join(folder, '.data'));
  output = await paste(walkThrough());
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.stop();
});

/** What the built-in receiver holds after each pause of the pages; `request` is one that it got. */
const awaited = [
  "reduce((types, request) => request.path.endsWith('$ORDER') ? types.add(JSON.parse(request.body).operation.operationType) : types, new Set()).size === 3",
  "some((request) => request.path.includes('$ID'))",
  "some((request) => '$HOOK'.endsWith(request.path))",
];

/** A person looks again until it is there; a minute and a half at most. */
const retriedUntil = (condition: string) =>
  `for LOOK in {1..90}; do sandbox $REST/sandbox/receiver/requests | field "${condition}" 2>/dev/null | grep -q true && break; sleep 1; done`;

/** All bash blocks in order; a person's waiting and Ctrl-C are played by retries and a time limit. */
function walkThrough(): string {
  const text = ['README.md', 'docs/merchant-life.md'].map((page) => readFileSync(join(root, page), 'utf8')).join('\n');
  const script = [...text.matchAll(/```bash\n([\s\S]*?)```/g)].map((match) => match[1]).join('\n');
  const [first = '', ...parts] = script.split('sleep 1');
  if (parts.length !== awaited.length) throw new Error('the pages pause at other places: say what is awaited there');
  return [first, ...parts.map((part, index) => retriedUntil(awaited[index] ?? '') + part)]
    .join('')
    .replace(/^pay (events tail --merchant \$MERCHANT) +#.*$/m, 'timeout 3 node dist/cli.js $1');
}

function paste(script: string): Promise<{ stdout: string; stderr: string }> {
  return new Promise((done, reject) => {
    const shell = spawn('bash', ['-s'], { cwd: folder, stdio: 'pipe', timeout: timeoutMs });
    const printed = { stdout: '', stderr: '' };
    shell.stdout.on('data', (chunk) => {
      printed.stdout += chunk;
    });
    shell.stderr.on('data', (chunk) => {
      printed.stderr += chunk;
    });
    shell.on('error', reject);
    shell.on('close', () => done(printed));
    shell.stdin.end(script);
  });
}

it.each<[string, RegExp]>([
  ['the hosted page of an order', /^http:\/\/127\.0\.0\.1:\d+\/pay\/[0-9a-f-]{36}$/m],
  ['its payment by the sandbox', /^\{"state":"PAYMENT_COMPLETE"\}$/m],
  ['the refund', /^\{"operationId":"[0-9a-f-]{36}","operationTime":"[^"]+\+01:00"\}$/m],
  ['what became of the order', /"authorizedAmount": "5000",\s+"capturedAmount": "3000"/],
  [
    'three notifications in the built-in receiver',
    /^(?=[\s\S]*AUTHORIZATION\\",\\"operationResult\\":\\"AUTHORIZED)(?=[\s\S]*CAPTURE\\",\\"operationResult\\":\\"EXECUTED)(?=[\s\S]*REFUND\\",\\"operationResult)/,
  ],
  [
    'a sale by the payment service',
    /^\{"state":"Captured"\}$[\s\S]*"AUTHORIZATION AUTHORIZED"[\s\S]*"CAPTURE EXECUTED"/m,
  ],
  ['the payment in one query', /"state": "PartiallyRefunded"[\s\S]*"operation\.recorded"[\s\S]*"result": "delivered"/],
  [
    'its events, replayed',
    /operation\.recorded +#2 {2}CAPTURE EXECUTED 3000 EUR {2}order order-\d+[\s\S]*#3 {2}REFUND/,
  ],
  ['a token, opened', /^\{"token":"9\d{15}","tokenExpiry":"\d{6}"\}$/m],
  ['credentials of one payment', /"cryptogram":"[\w+/]{27}="/],
  ['the callback, in the built-in receiver', /"body": "\{\\"updateType\\":\\"TOKEN_STATE_CHANGE\\".*SUSPENDED/],
  ['its signature', /"webhook-signature": "v1,[\w+/]{43}="/],
  ['the deletion and the state after it', /^204\nDELETED$/m],
  [
    'the whole life in one query',
    /"timeline": \{[\s\S]*created[\s\S]*suspended[\s\S]*deleted[\s\S]*"result": "delivered"/,
  ],
  ['the signing link', /^http:\/\/127\.0\.0\.1:\d+\/onboarding\/\S+$/m],
  [
    'an application on its way',
    /\{"status":"AWAITING_SIGNATURE"\}\{"status":"PROCESSING"\}\{"status":"APPROVED"\}\nAPPROVED$/m,
  ],
  ["the partner's webhook", /"event":"onboarding\.approved","data":\{"onboardingId":\d+,"status":"APPROVED"\}/],
  ['a payout to the unit', /^\{"payouts":\d+\}\n8765$/m],
  [
    'its actions with their fees',
    /"CHARGE own-page 5000 100",\s+"REFUND own-page 1000 10",\s+"CHARGE hosted-page 3000 70",\s+"CHARGE [0-9a-f-]{36} 2000 55"/,
  ],
  ['a day that closes at zero', /"amount": 10000,\s+"count": 3[\s\S]*"openingBalance": 0,\s+"closingBalance": 0/],
  [
    "a merchant's life in one query",
    /"type": "onboarding\.initiated"[\s\S]*"state": "PartiallyRefunded"[\s\S]*"reconciled": true[\s\S]*"closing": "0",\s+"reconciled": true/,
  ],
  ['what a subscriber missed', /suspended +#2 .*\n.*deleted +#3 /],
])('shows %s', (_what, expected) => {
  expect(output.stdout).toMatch(expected);
});

it('complains about nothing', () => {
  expect(output.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('connected, '))).toEqual([]);
});
