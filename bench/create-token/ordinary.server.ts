// Ordinary shape of create-token: express 5, jose, one mongoose transaction per token (token + outbox entry), two processes; on request with an
// intent that is durable before the token is made, as whoever must not lose track of a token at its provider has it.
import cluster from 'node:cluster';
import { createCipheriv, createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import express from 'express';
import { CompactEncrypt, compactDecrypt, importJWK, type JWK } from 'jose';
import mongoose from 'mongoose';
import { z } from 'zod';
import { readSettings, sayReady } from '../support/server-side';

export interface OrdinarySettings {
  mongoUri: string;
  port: number;
  processes: number;
  privateJwk: JWK;
  recipientJwk: JWK;
  bearerHash: string;
  /** Whether an intent is written first, and settled by the transaction. */
  hasIntent: boolean;
}

const settings = readSettings<OrdinarySettings>();

const bodyShape = z.object({
  merchantInfo: z.object({ merchantId: z.string().min(1).max(35) }),
  accountInfo: z.object({ encryptedData: z.string().max(8_192) }),
});
const accountShape = z.object({
  account: z.string().regex(/^\d{12,19}$/),
  accountExpiry: z.string().regex(/^\d{6}$/),
  cvv: z.string().optional(),
});

const intentMsMax = 60_000;
const required = { required: true } as const;
const tokenSchema = new mongoose.Schema({
  _id: String,
  merchantId: { type: String, ...required },
  fingerprint: { type: String, ...required, unique: true },
  sealed: { iv: String, ciphertext: String, tag: String },
  token: { type: String, ...required, unique: true },
  state: { type: String, ...required },
  createdAt: { type: Date, ...required },
});
const outboxSchema = new mongoose.Schema({
  _id: String,
  type: { type: String, ...required },
  aggregateId: { type: String, ...required },
  sentAt: { type: Date, default: null, index: true },
  data: mongoose.Schema.Types.Mixed,
});

const intentSchema = new mongoose.Schema({
  _id: String,
  merchantId: { type: String, ...required },
  fingerprint: { type: String, ...required },
  state: { type: String, ...required },
  dueAt: { type: Date, default: null, index: true },
});

async function serve(): Promise<void> {
  const writeConcern = { w: 'majority', journal: true } as const;
  await mongoose.connect(settings.mongoUri, { writeConcern, maxPoolSize: 32 });
  const Token = mongoose.model('Token', tokenSchema, 'tokens');
  const Outbox = mongoose.model('Outbox', outboxSchema, 'outbox');
  const Intent = mongoose.model('Intent', intentSchema, 'intents');
  await Promise.all([Token.init(), Outbox.init(), Intent.init()]);
  const privateKey = await importJWK(settings.privateJwk, 'RSA-OAEP-256');
  const recipientKey = await importJWK(settings.recipientJwk, 'RSA-OAEP-256');
  const restKey = randomBytes(32);
  const hashKey = randomBytes(32);
  const app = express();
  app.disable('x-powered-by');
  app.use(express.json({ limit: '16kb' }));
  app.post('/virtual-accounts/token', async (request, response) => {
    const bearer = request.headers.authorization?.slice('Bearer '.length) ?? '';
    if (createHash('sha256').update(bearer).digest('base64url') !== settings.bearerHash) {
      response.status(401).json({});
      return;
    }
    const body = bodyShape.parse(request.body);
    const { plaintext } = await compactDecrypt(body.accountInfo.encryptedData, privateKey, {
      keyManagementAlgorithms: ['RSA-OAEP-256'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    const account = accountShape.parse(JSON.parse(new TextDecoder().decode(plaintext)));
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', restKey, iv);
    const ciphertext = Buffer.concat([cipher.update(account.account), cipher.final()]).toString('base64');
    const virtualAccountId = randomUUID();
    const token = `9${randomBytes(8).readBigUInt64BE().toString().padStart(20, '0').slice(-15)}`;
    const { merchantId } = body.merchantInfo;
    const fingerprint = createHmac('sha256', hashKey).update(account.account).digest('base64url');
    if (settings.hasIntent) {
      const dueAt = new Date(Date.now() + intentMsMax);
      await Intent.create({ _id: virtualAccountId, merchantId, fingerprint, state: 'SENT', dueAt });
    }
    await mongoose.connection.transaction(
      async (session) => {
        const document = {
          _id: virtualAccountId,
          merchantId,
          fingerprint,
          sealed: { iv: iv.toString('base64'), ciphertext, tag: cipher.getAuthTag().toString('base64') },
          token,
          state: 'ACTIVE',
          createdAt: new Date(),
        };
        await Token.create([document], { session });
        const event = {
          _id: randomUUID(),
          type: 'virtualAccount.created',
          aggregateId: virtualAccountId,
          data: { token },
        };
        await Outbox.create([event], { session });
        if (settings.hasIntent)
          await Intent.updateOne({ _id: virtualAccountId, state: 'SENT' }, { state: 'DONE', dueAt: null }, { session });
      },
      { writeConcern },
    );
    const result = new TextEncoder().encode(JSON.stringify({ token, tokenExpiry: '112029' }));
    const encryptedData = await new CompactEncrypt(result)
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'recipient' })
      .encrypt(recipientKey);
    response.status(201).json({ virtualAccountId, virtualAccountState: 'ACTIVE', encryptedData });
  });
  app.listen(settings.port, '127.0.0.1', () => process.send?.({ port: settings.port }));
}

if (cluster.isPrimary) {
  const workers = Array.from({ length: settings.processes }, () => cluster.fork());
  let ready = 0;
  cluster.on('message', () => {
    ready += 1;
    if (ready === workers.length)
      sayReady(
        settings.port,
        workers.map(({ process: { pid } }) => pid as number),
      );
  });
} else void serve();
