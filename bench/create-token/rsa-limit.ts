// The physical limit of create-token: RSA-2048 private operations per second of this machine with two processes, by openssl or by node itself.
import { spawn, spawnSync } from 'node:child_process';
import { constants, generateKeyPairSync, privateDecrypt, publicEncrypt } from 'node:crypto';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Private operations per second of `processes` at once. */
export async function privateOperationsPerSecond(seconds: number, processes = 2): Promise<number> {
  return hasOpenssl() ? opensslRate(seconds, processes) : nodeRate(seconds, processes);
}

export function hasOpenssl(): boolean {
  return spawnSync('openssl', ['version']).status === 0;
}

function opensslRate(seconds: number, processes: number): Promise<number> {
  const child = spawn(
    'openssl',
    ['speed', '-seconds', String(Math.ceil(seconds)), '-multi', String(processes), 'rsa2048'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let text = '';
  child.stdout.on('data', (bytes: Buffer) => {
    text += bytes.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('exit', () => {
      const columns = /^rsa\s+2048 bits\s+(.*)$/m.exec(text)?.[1]?.trim().split(/\s+/) ?? [];
      const rate = Number(columns[2]);
      if (rate > 0) resolve(rate);
      else reject(new Error(`openssl speed said:\n${text}`));
    });
  });
}

async function nodeRate(seconds: number, threads: number): Promise<number> {
  const counts = await Promise.all(
    Array.from(
      { length: threads },
      () =>
        new Promise<number>((resolve, reject) => {
          const worker = new Worker(
            `require(${JSON.stringify(require.resolve('../support/typescript.cjs'))});require(${JSON.stringify(__filename)})`,
            {
              eval: true,
              workerData: { seconds },
            },
          );
          worker.once('message', resolve);
          worker.once('error', reject);
        }),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}

function countOperations(seconds: number): number {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const options = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
  const sealed = publicEncrypt({ key: publicKey, ...options }, Buffer.alloc(32));
  const until = performance.now() + seconds * 1_000;
  let count = 0;
  while (performance.now() < until) {
    privateDecrypt({ key: privateKey, ...options }, sealed);
    count += 1;
  }
  return count;
}

if (!isMainThread) parentPort?.postMessage(countOperations((workerData as { seconds: number }).seconds));
