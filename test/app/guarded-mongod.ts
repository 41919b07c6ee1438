// A mongod that asks for passwords, for tests of the database's users.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MongoClient } from 'mongodb';
import { mongodArguments } from '../../app/launcher/databases';
import { findMongod } from '../../app/launcher/servers';
import { eventually } from '../support/stores';

const root = resolve(__dirname, '../..');

/** With passwords and a key file, as compose has it; the first user is made by the exception for localhost. */
export async function startMongod(folder: string, port: number, password: string): Promise<ChildProcess> {
  mkdirSync(join(folder, 'mongod'));
  writeFileSync(join(folder, 'keyfile'), randomBytes(96).toString('base64'), { mode: 0o400 });
  const { path } = await findMongod(process.env['CACHE_DIR'] ?? join(root, '.data/cache'), () => undefined);
  const args = [...mongodArguments(folder, port), '--auth', '--keyFile', join(folder, 'keyfile')];
  const mongod = spawn(path, args, { stdio: 'ignore' });
  const client = await eventually(() =>
    MongoClient.connect(`mongodb://127.0.0.1:${port}/?directConnection=true`, { serverSelectionTimeoutMS: 500 }),
  );
  const admin = client.db('admin');
  await admin.command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: `127.0.0.1:${port}` }] } });
  await eventually(async () => (await admin.command({ hello: 1 }))['isWritablePrimary']);
  await admin.command({ createUser: 'root', pwd: password, roles: ['root'] });
  await client.close();
  return mongod;
}
