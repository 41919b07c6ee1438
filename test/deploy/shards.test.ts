// MongoDB in shards, as the files for it say it: what mongosh is told cuts the listed collections by ranges that cover every slot or by a key of their own, and compose starts things in order. No mongos was asked.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { shardedCollections, shardKeyOf, slottedCollections } from '../../subgraphs/shared/store/sharded-collections';
import { slotCount } from '../../subgraphs/shared/store/slot';

const folder = join(__dirname, '../../deploy/shards');
const script = readFileSync(join(folder, 'shard-collections.js'), 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: YAML
const compose: any = parse(readFileSync(join(folder, 'compose.yml'), 'utf8'), { merge: true });
// biome-ignore lint/suspicious/noExplicitAny: YAML
const base: any = parse(readFileSync(join(folder, '../../docker-compose.yml'), 'utf8'), { merge: true });

/** What there is before and behind every value. */
const outermost = { MinKey: () => Number.NEGATIVE_INFINITY, MaxKey: () => Number.POSITIVE_INFINITY };

type Told = [what: string, ...values: unknown[]];

/** What mongosh would have sent, in its order. */
function toldMongos(present: string[] = []): Told[] {
  const told: Told[] = [];
  const tell =
    (what: string) =>
    (...values: unknown[]) =>
      told.push([what, ...values]) && undefined;
  const names = ['addShard', 'addShardToZone', 'enableSharding', 'updateZoneKeyRange', 'shardCollection'];
  const sh = Object.fromEntries(names.map((name) => [name, tell(name)]));
  const database = {
    getCollectionNames: () => present,
    createCollection: tell('createCollection'),
    getCollection: (name: string) => ({
      createIndex: (...index: unknown[]) => tell('createIndex')(`payments.${name}`, ...index),
    }),
  };
  runInNewContext(script, {
    sh,
    db: { getSiblingDB: () => database },
    ...outermost,
  });
  return told;
}

const of = (what: string, told = toldMongos()) => told.filter(([name]) => name === what);
const spaceOf = ({ name }: { name: string }) => `payments.${name}`;
const slotted = slottedCollections.map(spaceOf);

test('every listed collection is sharded by its key, and nothing else is', () => {
  const cut = of('shardCollection').map(([, space, key]) => [space, Object.entries(Object(key))]);
  const wanted = shardedCollections.map((collection) => [spaceOf(collection), Object.entries(shardKeyOf(collection))]);
  expect(cut).toEqual(wanted);
});

test.each(slotted)('the zones of %s follow each other over all slots, each of a shard', (space) => {
  const zoned = new Map(of('addShardToZone').map(([, shard, zone]) => [zone, shard]));
  const ranges = of('updateZoneKeyRange').filter(([, name]) => name === space) as [
    ...[string, string, { slot: number }, { slot: number }, string],
  ][];
  const ends = ranges.map(([, , from, to]) => [from.slot, to.slot]);
  expect(ends[0]?.[0]).toBe(Number.NEGATIVE_INFINITY);
  expect(ends.at(-1)?.[1]).toBe(Number.POSITIVE_INFINITY);
  for (const [index, [, to]] of ends.slice(0, -1).entries()) {
    expect(ends[index + 1]?.[0]).toBe(to);
    expect(to).toBe(((index + 1) * slotCount) / zoned.size);
  }
  expect(ranges.map(([, , , , zone]) => zone)).toEqual([...zoned.keys()]);
});

test('zones are said before a collection is cut, which then begins with a chunk for each', () => {
  const told = toldMongos();
  for (const space of slotted) {
    const said = told.flatMap(([what, name]) => (name === space && what !== 'createIndex' ? [what] : []));
    expect(said).toEqual(['updateZoneKeyRange', 'updateZoneKeyRange', 'shardCollection']);
  }
});

test('what is cut by a key of its own has no zones of slots', () => {
  expect([...new Set(of('updateZoneKeyRange').map(([, space]) => space))]).toEqual(slotted);
});

test.each(shardedCollections)(
  'the index of $name that begins with its key is there before it is cut, so that MongoDB makes no other',
  (collection) => {
    const { index, ownKey } = collection;
    const key = shardKeyOf({ ownKey });
    const told = toldMongos().filter(([what, space]) => space === spaceOf(collection) && what !== 'updateZoneKeyRange');
    const cut = ['shardCollection', spaceOf(collection), key];
    expect(told).toEqual(index ? [['createIndex', spaceOf(collection), index, { unique: true }], cut] : [cut]);
    expect(Object.entries(index ?? key).slice(0, Object.keys(key).length)).toEqual(Object.entries(key));
  },
);

test('a second run makes no collection again', () => {
  expect(of('createCollection')).toHaveLength(shardedCollections.length);
  expect(of('createCollection', toldMongos(shardedCollections.map(({ name }) => name)))).toEqual([]);
});

test('compose: each shard that the script adds is a set of that name, and mongos has the address of before', () => {
  for (const [, address] of of('addShard')) {
    const [name = ''] = String(address).split('/');
    expect(address).toBe(`${name}/${name}:27017`);
    expect(compose.services[name].command).toEqual(expect.arrayContaining(['--shardsvr', name, '--keyFile']));
    expect(JSON.stringify(compose.services[name].healthcheck)).toContain(`host: \\"${name}:27017\\"`);
  }
  expect(compose.services.mongodb.command.slice(0, 3)).toEqual([
    'mongos',
    '--configdb',
    'config-server/config-server:27017',
  ]);
  expect(compose.services.mongodb.environment).toBeUndefined();
});

test('compose: members, then mongos, then the collections, then what was there', () => {
  const after = (name: string) => Object.keys(compose.services[name].depends_on).sort();
  expect(after('mongodb')).toEqual(['config-server', 'shard-1', 'shard-2']);
  expect(after('shard-collections')).toEqual(['mongodb']);
  expect(after('prepare')).toEqual(['shard-collections']);
  for (const { networks } of Object.values(compose.services) as { networks?: string[] }[])
    if (networks) expect(networks).toEqual(['stores']);
});

test('compose: every address of the database leaves out the replica set where the topology is said', () => {
  const services = Object.values(base.services) as { environment?: Record<string, string> }[];
  const addresses = services.flatMap(({ environment }) => environment?.['MONGODB_URI'] ?? []);
  expect(addresses.length).toBeGreaterThan(10);
  expect(addresses.filter((address) => !address.includes(`?\${MONGODB_TOPOLOGY:-replicaSet=rs0}&authSource=`))).toEqual(
    [],
  );
});
