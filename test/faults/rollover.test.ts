// Proof: decryption keys are rolled over and the vault is wrapped anew while calls come in; the former key works until it is retired, then never again, and no call fails.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { dataKeyCollection } from '../../subgraphs/shared/crypto/data-keys';
import { keyFamilies } from '../../subgraphs/shared/crypto/sealed-fields';
import { createDeadline } from '../../subgraphs/shared/deadline';
import { built } from '../support/built';
import type { Answer } from '../support/client';
import { accountExpiry } from '../support/expiry';
import { freshCardNumber, graph, type Partner, partnerOf } from '../support/partner';
import { eventually, newStoreAddresses } from '../support/stores';
import { vaultKeys } from '../support/vault';
import { startWorld, type World } from '../support/world';
import { printOutcomes } from './attempts';
import { expectNone, type Figures, proof } from './proof';
import { type Seal, sealerOf, startTraffic } from './traffic';
import { keepLogs } from './with-world';

const run = promisify(execFile);
const root = resolve(__dirname, '../..');

async function createWith(partner: Partner, seal: Seal): Promise<{ status: number; errorCode?: string }> {
  const { merchantId } = partner.credentials;
  const encryptedData = await seal({ account: freshCardNumber(), accountExpiry });
  const body = { merchantInfo: { merchantId }, accountInfo: { encryptedData } };
  const answer = await served(() => partner.call('POST', '/virtual-accounts/token', body));
  return { status: answer.status, errorCode: answer.body.errorCode };
}

/** A busy machine may say "come again"; anything else is the answer. */
async function served(call: () => Promise<Answer>): Promise<Answer> {
  const isOver = createDeadline(60_000);
  for (;;) {
    const answer = await call();
    if (answer.status !== 503 || isOver()) return answer;
    await wait(100);
  }
}

function newestKids(world: World): Promise<string[]> {
  return eventually(async () => {
    const answer = await fetch(`${world.urls.rest}/.well-known/jwks.json`);
    if (answer.status !== 200) throw new Error(`the key set answered ${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
  });
}

/** One roll-over under load: both keys open, then the former is retired and opens nothing. */
async function rollOver(
  world: World,
  partner: Partner,
  actors: number,
  random: Parameters<typeof startTraffic>[1]['random'],
): Promise<Figures> {
  const [formerKid = ''] = await newestKids(world);
  const former = await sealerOf(world);
  // Its clients seal with the former key throughout.
  const traffic = await startTraffic(world, { random, actors });
  const progress = async () => {
    const goal = traffic.count() + 10;
    await eventually(() => traffic.count() >= goal, { timeoutMs: 60_000 });
  };
  await progress();
  const rolled = await graph(world, 'mutation { rollDecryptionKey { kid } }');
  if (!rolled.data) throw new Error(JSON.stringify(rolled));
  await eventually(async () => (await newestKids(world))[0] !== formerKid);
  const current = await sealerOf(world);
  for (let call = 0; call < 6; call += 1)
    expect((await createWith(partner, call % 2 === 0 ? former : current)).status).toBe(201);
  await progress();
  await traffic.stop();
  expectNone(`failures during the overlap (${printOutcomes(traffic.attempts.outcomes)})`, [
    ...traffic.attempts.faults,
    ...[...traffic.attempts.outcomes.keys()].filter((outcome) => !outcome.startsWith('2') && outcome !== '503'),
  ]);
  const retired = await graph(world, 'mutation($kid: ID!) { retireDecryptionKey(kid: $kid) { kid } }', {
    kid: formerKid,
  });
  if (!retired.data) throw new Error(JSON.stringify(retired));
  await eventually(async () => (await createWith(partner, former)).status === 400, { timeoutMs: 5_000 });
  for (let call = 0; call < 6; call += 1) {
    expect(await createWith(partner, former)).toEqual({ status: 400, errorCode: 'MTS-1617' });
    expect((await createWith(partner, current)).status).toBe(201);
  }
  return { 'calls in overlap': traffic.count() };
}

/** Everything sealed that must not be touched by a new key-encryption key. */
async function sealedValues(client: MongoClient): Promise<string> {
  const collections = ['virtual_accounts', 'decryption_keys', 'callback_endpoints'];
  const found = await Promise.all(
    collections.map((name) =>
      client
        .db()
        .collection(name)
        .find({}, { projection: { token: 1, privateKey: 1, 'holding.token': 1, 'secrets.sealed': 1 } })
        .sort({ _id: 1 })
        .toArray(),
    ),
  );
  return JSON.stringify(found);
}

/** Which key-encryption keys wrap the data keys, for each family of them. */
async function wrappedBy(client: MongoClient): Promise<Record<string, string[]>> {
  const found = keyFamilies.map(async (family) => [
    family,
    await client.db().collection(dataKeyCollection(family)).distinct('wrappedBy'),
  ]);
  return Object.fromEntries(await Promise.all(found));
}

proof('rollover', { smoke: { rolls: 1, actors: 4 }, full: { rolls: 5, actors: 8 } }, async ({ size, random }) => {
  const stores = await newStoreAddresses();
  const dataDir = mkdtempSync(join(tmpdir(), 'rollover-'));
  const client = await MongoClient.connect(stores.mongoUri);
  const keys = { former: randomBytes(32).toString('base64'), next: randomBytes(32).toString('base64') };
  const env = { PROCESSES: '2', DATA_DIR: dataDir, MONGODB_URI: stores.mongoUri, REDIS_URL: stores.redisUrl };
  let world = await startWorld({ topology: 'embedded', env: { ...env, ...vaultKeys(keys.former) } });
  const restart = async (vault: Record<string, string>) => {
    await world.stop();
    world = await startWorld({ topology: 'embedded', env: { ...env, ...vault } });
  };
  try {
    let figures: Figures = {};
    const partner = await partnerOf(world, 'alpha');
    for (let roll = 0; roll < size.rolls; roll += 1) figures = await rollOver(world, partner, size.actors, random);
    const old = await partner.createToken({ account: freshCardNumber(), accountExpiry });

    await restart(vaultKeys(keys.next, keys.former));
    const before = await sealedValues(client);
    const wrappings = await wrappedBy(client);
    const paying = payAgainAndAgain(await partnerOf(world, 'alpha'), old.body.virtualAccountId);
    await eventually(() => paying.count() >= 5, { timeoutMs: 60_000 });
    const vault = vaultKeys(keys.next, keys.former);
    await run(process.execPath, [built('operator.js'), 'rewrap-vault'], {
      cwd: root,
      env: { ...process.env, ...env, ...vault },
    });
    const goal = paying.count() + 5;
    await eventually(() => paying.count() >= goal, { timeoutMs: 60_000 });
    expectNone('failures while the vault was wrapped anew', await paying.stop());
    expect(await sealedValues(client)).toBe(before);
    const rewrapped = await wrappedBy(client);
    const used = Object.entries(wrappings).filter(([, by]) => by.length > 0);
    expect(used.map(([family]) => family)).toEqual(expect.arrayContaining(['cards', 'secrets', 'credentials']));
    for (const [family, former] of used) {
      expect([family, rewrapped[family]]).toEqual([family, [expect.any(String)]]);
      expect(rewrapped[family]).not.toEqual(former);
    }

    await restart(vaultKeys(keys.next));
    expect((await (await partnerOf(world, 'alpha')).createTransaction(old.body.virtualAccountId)).status).toBe(201);
    return {
      rolls: size.rolls,
      ...figures,
      failed: 0,
      'paid while wrapped anew': paying.count(),
      'sealed values touched': 0,
    };
  } catch (error) {
    keepLogs(world);
    throw error;
  } finally {
    await world.stop();
    await client.db().dropDatabase();
    await client.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

function payAgainAndAgain(partner: Partner, virtualAccountId: string) {
  const failures: string[] = [];
  let answers = 0;
  let isStopping = false;
  const pay = async () => {
    while (!isStopping) {
      const { status, text } = await served(() => partner.createTransaction(virtualAccountId));
      if (status === 201) answers += 1;
      else failures.push(`${status} ${text}`);
    }
  };
  const running = pay().catch((error: Error) => void failures.push(error.message));
  return {
    count: () => answers,
    async stop() {
      isStopping = true;
      await running;
      return failures;
    },
  };
}
