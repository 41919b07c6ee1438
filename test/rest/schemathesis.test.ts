// An independent reader (schemathesis) of the OpenAPI files, against the running program: 0 server errors, 0 violations.
// It is a Python program that `npm test` and `npm run proof` bring and name in SCHEMATHESIS.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proof } from '../faults/proof';
import { administrationOf, merchantBody } from '../support/administration';
import { cards, paymentServiceOf, payOnPage, payWithFields, shopOf } from '../support/checkout';
import { accountExpiry } from '../support/expiry';
import { onboardingOf } from '../support/onboarding';
import { freshCardNumber, partnerOf } from '../support/partner';
import { paidOutDeposit } from '../support/reports';
import { sharedWorld, type World } from '../support/world';

const program = process.env['SCHEMATHESIS'] ?? 'schemathesis';
/** Paths written in a second way, with the body of the first: drawn for at full size and in every run held against the tables of test/rest/checkout-input.test.ts. */
const secondSpellings = ['/api/orders/build', '/api/build/finalize_payment'];

/** What the reader has to know of one family: its credential, and resources that exist. */
interface Known {
  headers: Record<string, string>;
  /** `path.<name>` or `query.<name>`: a value that exists. */
  parameters: Record<string, string>;
  /** Answers to well-formed requests. 400 is among them: the documented codes about data. */
  expected: readonly string[];
  /** Answers to what breaks the contract, beside refusals: a read whose only fault is a query parameter that nobody knows, which is ignored. */
  ignored?: readonly string[];
}

const known: Readonly<Record<string, (world: World) => Promise<Known>>> = {
  async tokenization(world) {
    const partner = await partnerOf(world, 'alpha');
    const { body } = await partner.createToken({ account: freshCardNumber(), accountExpiry });
    const { 'X-Request-ID': _generated, ...headers } = partner.headers();
    const parameters = { 'path.virtualAccountId': body.virtualAccountId };
    return { headers, parameters, expected: ['2xx', '304', '400', '404', '409', '429'] };
  },
  async payments(world) {
    const service = await paymentServiceOf(world, 'alpha');
    const { paymentId } = (await service.create({ amount: 2_147_483_647 })).body;
    await payOnPage(world, paymentId, cards.visa);
    const parameters = { 'path.paymentId': paymentId };
    return { headers: service.headers(), parameters, expected: ['2xx', '400', '404', '409', '422', '429'] };
  },
  async checkout(world) {
    const shop = shopOf(world, 'alpha', 'explicit');
    const { finalized, orderId, sessionId } = await payWithFields(world, shop);
    const { operationId } = finalized.body.operation;
    const parameters = { 'path.operationId': operationId, 'path.orderId': orderId, 'query.sessionId': sessionId };
    return { headers: { 'X-API-KEY': shop.apiKey }, parameters, expected: ['2xx', '400', '404', '429'] };
  },
  async administration(world) {
    const { authorization, create } = administrationOf(world, 'alpha');
    const body = merchantBody();
    await create(body);
    const headers = { Authorization: authorization };
    return {
      headers,
      parameters: { 'path.merchantId': body.merchantId },
      expected: ['2xx', '400', '404', '409', '429'],
    };
  },
  async partner(world) {
    const partner = onboardingOf(world);
    const { id } = (await partner.create()).body;
    const headers = { Authorization: partner.key };
    return { headers, parameters: { 'path.id': String(id) }, expected: ['2xx', '400', '404', '409', '429'] };
  },
  async reporting(world) {
    const { merchantNumber } = world.credentials.tenants.alpha;
    const headers = { Authorization: world.credentials.tenants.alpha.reporting.partnerApiKey };
    const parameters = { 'path.id': await paidOutDeposit(world, 'alpha'), 'query.merchantNumber': merchantNumber };
    return { headers, parameters, expected: ['2xx', '304', '400', '404', '429'], ignored: ['200'] };
  },
};

let world: World;
let folder: string;
beforeAll(async () => {
  world = await sharedWorld();
  folder = mkdtempSync(join(tmpdir(), 'schemathesis-'));
});
afterAll(() => {
  if (folder) rmSync(folder, { recursive: true });
  return world?.stop();
});

/** A machine that stands still is no server that went away. */
const answerSecondsMax = 120;
/** Of every bound of every field, valid and broken, nine in ten of all requests are made: by name alone, at any size. */
const isByName = process.env['PROOF_RECORD'] !== undefined;

proof('schemathesis', { smoke: { examples: 6 }, full: { examples: 3_000 } }, async ({ size, isSmoke, seed }) => {
  let generated = 0;
  for (const [family, learn] of Object.entries(known)) {
    writeFileSync(join(folder, 'schemathesis.toml'), settings(await learn(world)), { mode: 0o600 });
    const { code, output } = await run({
      args: [
        'run',
        `${world.urls.rest}/openapi/${family}.json`,
        '--no-color',
        '--seed',
        String(seed),
        '--max-examples',
        String(size.examples),
        '--request-timeout',
        String(answerSecondsMax),
        ...(isByName ? [] : ['--phases', 'examples,fuzzing,stateful']),
        ...(isSmoke ? secondSpellings.flatMap((path) => ['--exclude-path', path]) : []),
      ],
      cwd: folder,
    });
    // The output has, for each finding, the line that repeats it.
    if (code !== 0) throw new Error(`${family}: ${output.slice(-6_000)}`);
    const [, count] = /(\d+) generated/.exec(output) ?? [];
    expect({ family, isDrawn: Number(count) > 0 }).toEqual({ family, isDrawn: true });
    generated += Number(count);
  }
  return { families: Object.keys(known).length, generated, 'server errors and violations': 0 };
});

/** Answers to what breaks the contract: 413 where it is broken by length. */
const refusals = ['400', '401', '403', '404', '405', '406', '413', '415', '422', '428', '429'];

/** Credentials go through a file, never the command line. */
function settings({ headers, parameters, expected, ignored = [] }: Known): string {
  const quoted = (values: Record<string, string>) =>
    Object.entries(values).map(([name, value]) => `${name} = "${value}"`);
  const named = Object.entries(parameters).map(([name, value]) => `"${name}" = "${value}"`);
  return `headers = { ${quoted(headers).join(', ')} }
[parameters]
${named.join('\n')}
[checks]
positive_data_acceptance.expected-statuses = ${JSON.stringify(expected)}
negative_data_rejection.expected-statuses = ${JSON.stringify([...refusals, ...ignored])}
`;
}

function run({ args, cwd }: { args: string[]; cwd: string }): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
