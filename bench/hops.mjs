// `npm run bench:hops`: the product's files that a capture, a refund, a card payment and a token enter until their last write is sent, by room, and the commands that they send to the database.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const require = createRequire(import.meta.url);
require('./support/typescript.cjs');
const { startProduct } = require('./support/product.ts');
const { writeBodies } = require('./support/cards.ts');
const { freePort, stopChild } = require('./support/server-process.ts');

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { files: { type: 'boolean', default: false } } });
const folder = mkdtempSync(join(tmpdir(), 'hops-'));
const hopsFile = join(folder, 'hops.jsonl');
const readyMsMax = 120_000;
const pollMs = 50;
const rooms = [/^subgraphs\/(\w+)\//, /^([\w-]+)\//];
const roomOf = (file) => rooms.map((room) => room.exec(file)?.[1]).find(Boolean);
const writes = new Set(['insert', 'update', 'findAndModify', 'delete', 'bulkWrite', 'commitTransaction']);

const product = await startProduct({ processes: 1 });
const ports = await Promise.all([1, 2, 3, 4, 5].map(freePort));
const [REST_PORT, AUTH_PORT, GRAPH_PORT, METRICS_PORT, PAY_PORT] = ports.map(String);
const rest = `http://127.0.0.1:${REST_PORT}`;
const child = spawn(
  process.execPath,
  ['--require', join(root, 'bench/hops/watch.cjs'), join(root, 'dist/application.js')],
  {
    env: {
      ...process.env,
      ...product.applicationEnv,
      REST_PORT,
      AUTH_PORT,
      GRAPH_PORT,
      METRICS_PORT,
      PAY_PORT,
      HOPS_FILE: hopsFile,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  },
);
try {
  await untilReady();
  // The second round: what is read once and kept is kept by then.
  await journeys();
  for (const hops of await journeys()) print(hops);
} finally {
  await stopChild(child, 20_000);
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Each kind of change once; what was written down of them. */
async function journeys() {
  const { tenants, urls, sandboxKey } = product.credentials;
  const key = () => ({ 'X-API-KEY': tenants.alpha.checkout.explicit.apiKey, 'Correlation-Id': randomUUID() });
  const order = { amount: '5000', currency: 'EUR', orderId: `h${randomUUID().replace(/-/g, '').slice(0, 24)}` };
  const paymentSession = {
    actionType: 'PAY',
    amount: '5000',
    paymentService: 'CARDS',
    notificationUrl: `${urls.shop}/`,
  };
  const { sessionId } = await post('/api/v1/orders/build', { merchantUrl: urls.shop, order, paymentSession }, key());
  const card = { number: '4242424242424242', expiry: '12/30', cvv: '123', holder: 'Ada Lovelace' };
  await post(`/sandbox/checkout/${sessionId}/card`, card, { 'X-Sandbox-Key': sandboxKey });
  const watched = (name) => ({ 'x-hops': name, 'Idempotency-Key': randomUUID() });
  const paid = await post('/api/v1/build/finalize_payment', { sessionId }, { ...key(), ...watched('card payment') });
  const act = (what, operationId) =>
    post(
      `/api/v1/operations/${operationId}/${what}s`,
      { amount: '5000', currency: 'EUR' },
      { ...key(), ...watched(what) },
    );
  const { operationId } = await act('capture', paid.operation.operationId);
  await act('refund', operationId);
  const bodies = writeBodies(await product.cardRecipient(), 1);
  const token = JSON.parse(readFileSync(bodies.path, 'utf8'));
  bodies.remove();
  await post('/virtual-accounts/token', token, { ...(await product.tokenizationHeaders()), 'x-hops': 'token' });
  return readFileSync(hopsFile, 'utf8')
    .trim()
    .split('\n')
    .slice(-4)
    .map((line) => JSON.parse(line));
}

/** Until the last write: what comes later only words the answer. */
function print({ name, files, commands }) {
  const until = commands.findLast(({ command }) => writes.has(command))?.filesBefore ?? 0;
  const entered = files.slice(0, until);
  const counts = {};
  for (const file of entered) counts[roomOf(file)] = (counts[roomOf(file)] ?? 0) + 1;
  const byRoom = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const asked = commands.map(({ command, on }) => (typeof on === 'string' ? `${command} ${on}` : command));
  console.log(
    `${name}: ${until} files until committed (${byRoom.map((each) => each.reverse().join(' ')).join(', ')}), ${files.length} until answered`,
  );
  console.log(`  ${asked.length} commands: ${asked.join(', ')}`);
  if (values.files)
    console.log(
      `${entered.map((file) => `    ${file}`).join('\n')}\n    -- committed\n${files
        .slice(until)
        .map((file) => `    ${file}`)
        .join('\n')}`,
    );
}

/**
 * Throws on anything but success: such a figure means nothing.
 * @returns {Promise<any>}
 */
async function post(path, body, headers) {
  const answer = await fetch(`${rest}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function untilReady() {
  const until = Date.now() + readyMsMax;
  for (;;) {
    const isReady = await fetch(`${rest}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (isReady) return;
    if (child.exitCode !== null || Date.now() > until) throw new Error('the program did not become ready');
    await new Promise((done) => setTimeout(done, pollMs));
  }
}
