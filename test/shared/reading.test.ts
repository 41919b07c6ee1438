// A find that takes everything at once: it answers what the driver's own cursor answers, whatever is asked of it and whatever happens meanwhile.
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { collectionOf } from '../../subgraphs/shared/store/collection-of';
import { openMongo } from '../../subgraphs/shared/store/mongo';
import { type FindAllOptions, findAll } from '../../subgraphs/shared/store/reading';
import { inOneTransaction } from '../../subgraphs/shared/store/transaction';
import { openStores, type Stores } from '../support/stores';

interface Row {
  _id: string;
  place: number;
  minor: number | bigint;
  text?: string;
}

const rowsName = 'find_all_rows';
const count = 150;
let stores: Stores;
const rows = (options = {}) => collectionOf<Row>(stores.connection, rowsName, options);

beforeAll(async () => {
  stores = await openStores();
  const all = Array.from({ length: count }, (_, place) => ({
    _id: `row-${String(place).padStart(3, '0')}`,
    place,
    minor: BigInt(place) * 2n ** 40n,
  }));
  await rows().insertMany(all);
  await rows().createIndex({ place: 1 }, { name: 'byPlace' });
});
afterAll(() => stores?.close());

/** What a test of a connection of its own has opened. */
let closing = async () => {};
afterEach(async () => {
  await closing();
  closing = async () => {};
});

it.each<[string, object, FindAllOptions, number]>([
  ['everything, in the order of a sort', {}, { sort: { _id: 1 } }, count],
  ['the other way round, so many', {}, { sort: { place: -1 }, limit: 7 }, 7],
  ['as many as there are', {}, { sort: { _id: 1 }, limit: count }, count],
  ['some members', { place: { $lt: 5 } }, { sort: { _id: 1 }, projection: { _id: 0, place: 1 } }, 5],
  ['by an index', { place: { $gte: 100 } }, { hint: 'byPlace', maxTimeMS: 5_000 }, 50],
  ['by ids', { _id: { $in: ['row-007', 'row-001', 'nowhere'] } }, { sort: { _id: 1 } }, 2],
  ['nothing', { _id: 'nowhere' }, {}, 0],
])('%s', async (_case, filter, options, length) => {
  for (const useBigInt64 of [false, true]) {
    const found = await findAll(rows({ useBigInt64 }), filter, options);
    expect(found).toEqual(await rows({ useBigInt64 }).find(filter, options).toArray());
    expect(found).toHaveLength(length);
  }
});

it('reads on where one answer has no room for all', async () => {
  const large = collectionOf<Row>(stores.connection, 'find_all_large');
  const text = 'x'.repeat(6_000_000);
  for (const place of [1, 2, 3, 4]) await large.insertOne({ _id: String(place), place, minor: 0, text });
  for (const useBigInt64 of [false, true]) {
    const typed = collectionOf<Row>(stores.connection, 'find_all_large', { useBigInt64 });
    const found = await findAll(typed, {}, { sort: { _id: 1 } });
    expect(found.map(({ _id, text: own }) => [_id, own?.length])).toEqual(
      ['1', '2', '3', '4'].map((_id) => [_id, text.length]),
    );
  }
  // What the first answers left open has been closed.
  const idle = [{ $currentOp: { idleCursors: true } }, { $match: { type: 'idleCursor', ns: large.namespace } }];
  const admin = stores.connection.getClient().db('admin');
  expect(await admin.aggregate(idle, { readConcern: { level: 'local' } }).toArray()).toEqual([]);
});

it('reads in a transaction what is written in it', async () => {
  const found = await inOneTransaction(
    stores.connection,
    async (session) => {
      await rows().insertOne({ _id: 'within', place: -1, minor: 0 }, { session });
      return {
        within: await findAll(rows(), { place: -1 }, { session }),
        outside: await findAll(rows(), { place: -1 }),
      };
    },
    () => false,
  );
  expect(found.within.map(({ _id }) => _id)).toEqual(['within']);
  expect(found.outside).toEqual([]);
});

/** Takes seconds for all rows together. */
const long = { $map: { input: { $range: [0, 200_000] }, in: { $multiply: ['$$this', 2] } } };

it.each<[string, object, FindAllOptions, RegExp]>([
  ['an index that does not exist', {}, { hint: 'nowhere' }, /hint/],
  ['an operator that does not exist', { place: { $nowhere: 1 } }, {}, /\$nowhere/],
  ['too little time', { $expr: { $gt: [{ $size: long }, 0] } }, { maxTimeMS: 20 }, /time limit/],
])('refuses %s as the driver does', async (_case, filter, options, message) => {
  await expect(findAll(rows(), filter, options)).rejects.toThrow(message);
  await expect(rows().find(filter, options).toArray()).rejects.toThrow(message);
});

it('asks once more where the connection was lost on the way', async () => {
  const { server, uri, cut } = await door(stores.mongoUri);
  const mongo = await openMongo(uri, 'test');
  closing = async () => {
    await mongo.close();
    server.close();
  };
  const through = collectionOf<Row>(mongo.connection, rowsName);
  const cuts = cut(rowsName);
  const found = await findAll(through, { place: { $lt: 3, $gte: 0 } }, { sort: { _id: 1 } });
  expect(found.map(({ place }) => place)).toEqual([0, 1, 2]);
  expect(cuts()).toBe(1);
});

it('does not stand in line a second time where the process has no connection to spare', async () => {
  const mongo = await openMongo(stores.mongoUri, 'test', { maxPoolSize: 1, waitQueueTimeoutMS: 300 });
  const narrow = collectionOf<Row>(mongo.connection, rowsName);
  closing = () => mongo.close();
  const refused: string[] = [];
  mongo.connection.getClient().on('connectionCheckOutFailed', ({ reason }) => refused.push(reason));
  const slow = narrow.find({ $expr: { $gt: [{ $size: long }, 0] } }).toArray();
  await expect(findAll(narrow, { place: 1 })).rejects.toMatchObject({ name: 'MongoWaitQueueTimeoutError' });
  expect(refused).toEqual(['timeout']);
  expect(await slow).toHaveLength(count);
});

/** The way to the database by a door that cuts off the first command after `cut` that names a thing. */
async function door(mongoUri: string) {
  const { hostname, port } = new URL(mongoUri);
  let [watched, done]: [string | null, number] = [null, 0];
  const server: Server = createServer((socket) => {
    const inner = connect(Number(port), hostname);
    socket.on('data', (bytes) => {
      if (watched === null || !bytes.includes(watched)) return void inner.write(bytes);
      [watched, done] = [null, done + 1];
      return void socket.destroy();
    });
    inner.pipe(socket);
    for (const side of [socket, inner]) side.on('error', () => side.destroy());
    socket.on('close', () => inner.destroy());
    inner.on('close', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const uri = new URL(mongoUri);
  uri.port = String((server.address() as AddressInfo).port);
  uri.searchParams.delete('replicaSet');
  uri.searchParams.set('directConnection', 'true');
  const cut = (name: string) => {
    watched = name;
    return () => done;
  };
  return { server, uri: uri.href, cut };
}
