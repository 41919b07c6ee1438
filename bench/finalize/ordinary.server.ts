// The ordinary shape: express, mongoose documents saved in a transaction, a BullMQ job per notification that fetch sends.
import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import express from 'express';
import { Redis } from 'ioredis';
import mongoose, { Schema } from 'mongoose';
import { readSettings, sayReady } from '../support/server-side';

export interface OrdinarySettings {
  mongoUri: string;
  redisUrl: string;
  port: number;
  notificationUrl: string;
}

const { mongoUri, redisUrl, port, notificationUrl } = readSettings<OrdinarySettings>();
const queueName = 'bench-notifications';

const Session = mongoose.model('Session', new Schema({ _id: String, state: String, amount: Number, orderId: String }));
const Call = mongoose.model('Call', new Schema({ _id: String, sessionId: String, result: String }));
const Operation = mongoose.model(
  'Operation',
  new Schema({ _id: String, sessionId: String, type: String, result: String, amount: Number, time: Date }),
);

async function finalize(sessionId: string, queue: Queue): Promise<object> {
  const session = await Session.findById(sessionId);
  if (session?.state !== 'READY_FOR_PAYMENT') throw new Error('not ready');
  const call = await Call.create({ _id: randomUUID(), sessionId, result: 'ASKED' });
  // The acquirer answers at once, as the sandbox's does.
  const operation = new Operation({
    _id: randomUUID(),
    sessionId,
    type: 'AUTHORIZATION',
    result: 'AUTHORIZED',
    amount: session.amount,
    time: new Date(),
  });
  await mongoose.connection.transaction(async (transaction) => {
    call.result = 'APPROVED';
    await call.save({ session: transaction });
    await operation.save({ session: transaction });
    session.state = 'PAYMENT_COMPLETE';
    await session.save({ session: transaction });
  });
  const shown = {
    operationId: operation.id,
    operationResult: operation.result,
    operationAmount: String(operation.amount),
  };
  await queue.add('notify', { eventId: randomUUID(), operation: shown });
  return { state: 'PAYMENT_COMPLETE', operation: shown };
}

async function start(): Promise<void> {
  await mongoose.connect(mongoUri, { writeConcern: { w: 'majority', j: true } });
  await Promise.all([Session, Call, Operation].map((model) => model.createCollection()));
  const queue = new Queue(queueName, { connection: new Redis(redisUrl, { maxRetriesPerRequest: null }) });
  const send = async ({ data }: { data: object }) => {
    const headers = { 'content-type': 'application/json' };
    await fetch(notificationUrl, { method: 'POST', headers, body: JSON.stringify(data) });
  };
  new Worker(queueName, send, { connection: new Redis(redisUrl, { maxRetriesPerRequest: null }), concurrency: 16 });
  const app = express();
  app.use(express.json());
  app.post('/sessions', async ({ body }, response) => {
    const sessions = Array.from({ length: body.count }, () => ({
      _id: randomUUID(),
      state: 'READY_FOR_PAYMENT',
      amount: 5_000,
      orderId: randomUUID(),
    }));
    await Session.insertMany(sessions);
    response.json(sessions.map(({ _id }) => _id));
  });
  app.post('/finalize', async ({ body }, response) => {
    response.json(await finalize(body.sessionId, queue));
  });
  app.listen(port, '127.0.0.1', () => sayReady(port));
}

void start();
