// Looks for secrets wherever a run can have left them: documents and oplog, Redis, every file of the data folder, metrics, what was printed and answered.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BSON, type MongoClient } from 'mongodb';
import { openRedis } from '../../subgraphs/shared/store/redis';
import type { World } from '../support/world';
import type { Canaries } from './canaries';
import { createSearch, type Search } from './needles';

/** The two files that exist to hold credentials and keys: for their owner only, and not searched. */
const credentialFiles = ['sandbox-credentials.json', 'secrets.json'];

export interface Leftovers {
  /** Place, name and shape of each secret that was found. */
  found: string[];
  shapes: number;
  files: number;
  megabytesOfFiles: number;
  megabytesOfDocuments: number;
}

/** Searches the whole installation; throws when the search cannot even find what must be there. */
export async function searchInstallation(world: World, client: MongoClient, canaries: Canaries): Promise<Leftovers> {
  const search = createSearch(canaries.needles);
  const kept = readFileSync(join(world.dataDir, 'sandbox-credentials.json'));
  if (search.findIn(kept).length === 0) throw new Error('the search does not find the credentials in their own file');
  const control = createSearch([{ name: 'control', value: 'operation.recorded' }]);
  const { found: controls } = await searchMongo(client, control, ['operation.recorded']);
  for (const what of ['control (raw)', 'verification value'])
    if (!controls.some((each) => each.includes(`events: ${what}`))) throw new Error(`the search finds no ${what}`);
  const mongo = await searchMongo(client, search, canaries.wholeValues);
  const files = searchFiles(world.dataDir, search, canaries.wholeValues);
  const redis = await searchRedis(`redis://127.0.0.1:${world.process('redis-server').port}/0`, search);
  const metrics = await (await fetch(world.urls.metrics)).text();
  const bodies = canaries.answers.map(({ text, headers }) => text + JSON.stringify(headers)).join('\n');
  const found = [
    ...mongo.found,
    ...files.found,
    ...redis,
    ...search.findIn(Buffer.from(metrics)).map((what) => `metrics: ${what}`),
    ...search
      .findIn(Buffer.from(world.output()))
      .filter((what) => !what.startsWith('client secret') && !what.startsWith('SANDBOX_KEY'))
      .map((what) => `output: ${what}`),
    ...search
      .findIn(Buffer.from(bodies))
      // The id is the caller's own; the token of a session is told to its shop, and to nobody else.
      .filter((what) => !/X-Request-ID|^security token/.test(what))
      .map((what) => `bodies: ${what}`),
    ...canaries.answers.flatMap(({ status, text }) =>
      shownIn(text, canaries.wholeValues).map((value) => `an answer with ${status}: verification value ${value}`),
    ),
  ];
  return {
    found,
    shapes: search.shapes,
    files: files.files,
    megabytesOfFiles: Math.round(files.bytes / 1e6),
    megabytesOfDocuments: Math.round(mongo.bytes / 1e5) / 10,
  };
}

/** Collections and oplog through the driver: the files hold them compressed. */
async function searchMongo(
  client: MongoClient,
  search: Search,
  wholeValues: readonly string[],
): Promise<{ found: string[]; bytes: number }> {
  const found: string[] = [];
  let bytes = 0;
  const places = [
    ...(await client.db().listCollections().toArray()).map(({ name }) => client.db().collection(name)),
    client.db('local').collection('oplog.rs'),
  ];
  for (const collection of places) {
    for await (const document of collection.find({}, { raw: true, promoteBuffers: true })) {
      const buffer = document as unknown as Buffer;
      bytes += buffer.length;
      const whole = wholeValuesIn(BSON.deserialize(buffer), wholeValues);
      found.push(...[...search.findIn(buffer), ...whole].map((what) => `${collection.collectionName}: ${what}`));
    }
  }
  return { found, bytes };
}

/** Paths of fields whose whole value is one of the values: a verification value is too short to be searched for in bytes. */
function wholeValuesIn(value: unknown, wanted: readonly string[], path = ''): string[] {
  if (wanted.length === 0) return [];
  if (typeof value === 'string') return wanted.includes(value) ? [`verification value as ${path}`] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    wholeValuesIn(inner, wanted, path ? `${path}.${name}` : name),
  );
}

/** The values that a body has as a value of JSON, as an attribute or as the text of an element. */
const shownIn = (text: string, wanted: readonly string[]): string[] =>
  wanted.filter((value) => text.includes(`"${value}"`) || text.includes(`>${value}<`));

async function searchRedis(url: string, search: Search): Promise<string[]> {
  const redis = openRedis(url, 'workers');
  try {
    const found: string[] = [];
    for (const key of await redis.keys('*')) {
      const parts = [Buffer.from(key), await redis.dumpBuffer(key)];
      found.push(...parts.flatMap((part) => (part ? search.findIn(part).map((what) => `redis ${key}: ${what}`) : [])));
    }
    return found;
  } finally {
    redis.disconnect();
  }
}

function searchFiles(
  folder: string,
  search: Search,
  wholeValues: readonly string[],
): { found: string[]; files: number; bytes: number } {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !credentialFiles.includes(name),
  );
  const paths = names.map((name) => join(folder, name));
  let [files, bytes] = [0, 0];
  const found = paths.flatMap((path) => {
    const content = contentOf(path);
    if (!content) return [];
    files += 1;
    bytes += content.length;
    const whole = path.endsWith('.log') ? wholeValuesInLog(content.toString(), wholeValues) : [];
    return [...search.findIn(content), ...whole].map((what) => `${relative(folder, path)}: ${what}`);
  });
  return { found, files, bytes };
}

/** Null for a folder, and for a file that a living database has removed since it was listed. */
function contentOf(path: string): Buffer | null {
  try {
    return statSync(path).isFile() ? readFileSync(path) : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The same in the lines of a log, each an object of its own. */
function wholeValuesInLog(text: string, wanted: readonly string[]): string[] {
  const lines = text.split('\n').filter((line) => wanted.some((value) => line.includes(`"${value}"`)));
  return lines.flatMap((line) => wholeValuesIn(JSON.parse(line), wanted));
}
