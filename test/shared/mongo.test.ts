// The first connection of a process: waits while a primary is being found, and says clearly when there is none.
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { isDatabaseUnavailable, openMongo } from '../../subgraphs/shared/store/mongo';
import { newStoreAddresses } from '../support/stores';

/** A door to the database that stays shut for its first connections. */
async function slowDoor(
  mongoUri: string,
  refused: number,
): Promise<{ server: Server; uri: string; sockets: Socket[] }> {
  const { hostname, port } = new URL(mongoUri);
  let left = refused;
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    left -= 1;
    if (left >= 0) return void socket.destroy();
    sockets.push(socket);
    const inner = connect(Number(port), hostname);
    socket.pipe(inner).pipe(socket);
    for (const side of [socket, inner]) side.on('error', () => side.destroy());
    socket.on('close', () => inner.destroy());
    inner.on('close', () => socket.destroy());
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const uri = new URL(mongoUri);
  uri.port = String((server.address() as AddressInfo).port);
  uri.searchParams.delete('replicaSet');
  uri.searchParams.set('directConnection', 'true');
  return { server, uri: uri.href, sockets };
}

test('a primary that is found late is found', async () => {
  const { mongoUri } = await newStoreAddresses();
  const { server, uri } = await slowDoor(mongoUri, 8);
  const mongo = await openMongo(uri, 'test');
  expect(await mongo.isReady(30_000)).toBe(true);
  await mongo.close();
  server.close();
});

test('a command that got stuck half-way into its socket ends with the time limit of the socket', async () => {
  const { mongoUri } = await newStoreAddresses();
  const { server, uri, sockets } = await slowDoor(mongoUri, 0);
  const mongo = await openMongo(uri, 'test', { socketTimeoutMS: 2_000 });
  const unhindered = await openMongo(mongoUri, 'test');
  const large = mongo.connection.collection<{ text: string }>('large');
  await large.insertOne({ text: 'small' });
  // From here on nothing gets through these, in either direction, and nobody says so.
  for (const socket of sockets) socket.pause();
  const texts = Array.from({ length: 40 }, () => ({ text: 'x'.repeat(500_000) }));
  // By way of a new connection, or refused: what matters is that it comes to an end.
  const ended = await large.insertMany(texts).then(
    () => true,
    (error: unknown) => isDatabaseUnavailable(error),
  );
  expect(ended).toBe(true);
  await unhindered.connection.dropDatabase();
  await Promise.all([mongo.close(), unhindered.close()]);
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('a database that is not there is said to be away', async () => {
  await expect(openMongo('mongodb://127.0.0.1:1/test?directConnection=true', 'test')).rejects.toThrow(/127\.0\.0\.1:1/);
});
