// What a payment leaves on the disk: authorization and capture with all that goes with them, documents and indexes, by collection.
import { type Bytes, bytesOf, grownSince } from '../support/database-meter';
import type { Product } from '../support/product';

const payments = 1_500;
const warmUp = 200;
const inFlight = 16;
/** Callbacks and books follow; what is told last was told by then. */
const settleMs = 5_000;

/** Makes some payments and reads what they left; one fact for the report, and a table. */
export async function bytesFact(product: Product, payAndCapture: () => Promise<unknown>): Promise<string> {
  const database = product.database.db('payments');
  await many(warmUp, payAndCapture);
  const before = await bytesOf(database);
  await many(payments, payAndCapture);
  const grown = grownSince(before, await bytesOf(database));
  printBytes(grown);
  const kept = Object.entries(grown).filter(([name]) => !passing.has(name));
  const documents = sum(kept.map(([, bytes]) => bytes.documents));
  const indexes = sum(kept.map(([, bytes]) => bytes.indexes));
  const own = sum(paymentCollections.map((name) => (grown[name]?.documents ?? 0) + (grown[name]?.indexes ?? 0)));
  return `an authorization with its capture leaves ${kilobytes(own)} in payments, operations, sessions and calls; with events, callbacks and books ${kilobytes(documents + indexes)}, ${kilobytes(indexes)} of it indexes`;
}

const paymentCollections = ['payments', 'operations', 'checkout_sessions', 'acquirer_calls', 'card_entries'];
/** What is there for minutes, or by the sandbox alone. */
const passing = new Set(['card_entries', 'sandbox_acquirer_orders', 'idempotency_keys', 'received_callbacks']);

async function many(count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  await new Promise((resolve) => setTimeout(resolve, settleMs));
}

function printBytes(grown: Bytes): void {
  for (const [name, { documents, indexes, each }] of Object.entries(grown)) {
    if (documents + indexes <= 20 * payments) continue;
    console.log(`    ${name}: ${kilobytes(documents)} and ${kilobytes(indexes)} of indexes`);
    const rows = Object.entries(each).sort(([, a], [, b]) => b - a);
    console.log(`      ${rows.map(([index, bytes]) => `${index} ${kilobytes(bytes)}`).join(', ')}`);
  }
}

const kilobytes = (bytes: number) => `${(bytes / payments / 1_000).toFixed(2)} KB`;
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
