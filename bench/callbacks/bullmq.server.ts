// Ordinary: one BullMQ job per delivery, 50 at once over the same pool; with `mongoUri` each attempt is also written to MongoDB, as an attempt log wants.
import { Queue, Worker } from 'bullmq';
import { MongoClient } from 'mongodb';
import { Pool } from 'undici';
import { readSettings, sayReady, serveBatches } from '../support/server-side';
import { deliver, newBody } from './delivery';

export interface BullmqSettings {
  sinkPort: number;
  redisUrl: string;
  mongoUri: string | null;
  queueName: string;
}

const { sinkPort, redisUrl, mongoUri, queueName } = readSettings<BullmqSettings>();
const concurrency = 50;
const chunk = 500;
const pool = new Pool(`http://127.0.0.1:${sinkPort}`, { connections: concurrency, pipelining: 1 });
const connection = { url: redisUrl, maxRetriesPerRequest: null };

async function start(): Promise<void> {
  const client = mongoUri ? await MongoClient.connect(mongoUri) : null;
  const attempts = client?.db().collection('attempts', { writeConcern: { w: 'majority', journal: true } });
  const queue = new Queue(queueName, { connection });
  await queue.obliterate({ force: true });
  const worker = new Worker(
    queueName,
    async (job) => {
      const at = new Date();
      await deliver(pool, `/${queueName}/notify-update`, job.data.body as string);
      await attempts?.insertOne({ deliveryId: job.id, at, result: 'delivered', status: 204 });
    },
    { connection, concurrency, autorun: false },
  );
  let remaining = 0;
  let finish: () => void = () => undefined;
  worker.on('completed', () => {
    remaining -= 1;
    if (remaining === 0) finish();
  });
  await worker.waitUntilReady();
  await queue.pause();
  void worker.run();
  serveBatches({
    async prepare(count) {
      for (let from = 0; from < count; from += chunk) {
        const length = Math.min(chunk, count - from);
        const newJob = () => ({ name: 'deliver', data: { body: newBody() }, opts: { removeOnComplete: true } });
        await queue.addBulk(Array.from({ length }, newJob));
      }
      remaining = count;
    },
    async run() {
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const startedAt = performance.now();
      await queue.resume();
      await finished;
      const seconds = (performance.now() - startedAt) / 1_000;
      await queue.pause();
      return seconds;
    },
  });
  sayReady();
}

void start();
