// The first connection of a process: patient while a primary is being found, clear when there is none.
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { openMongo } from '../../subgraphs/shared/mongo';
import { newStoreAddresses } from '../support/stores';

/** A door to the database that stays shut for its first connections. */
async function slowDoor(mongoUri: string, refused: number): Promise<{ server: Server; uri: string }> {
  const { hostname, port } = new URL(mongoUri);
  let left = refused;
  const server = createServer((socket) => {
    left -= 1;
    if (left >= 0) return void socket.destroy();
    const inner = connect(Number(port), hostname);
    socket.pipe(inner).pipe(socket);
    for (const side of [socket, inner]) side.on('error', () => side.destroy());
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const uri = new URL(mongoUri);
  uri.port = String((server.address() as AddressInfo).port);
  uri.searchParams.delete('replicaSet');
  uri.searchParams.set('directConnection', 'true');
  return { server, uri: uri.href };
}

test('a primary that is found late is found', async () => {
  const { mongoUri } = await newStoreAddresses();
  const { server, uri } = await slowDoor(mongoUri, 8);
  const mongo = await openMongo(uri, 'test');
  expect(await mongo.isReady(30_000)).toBe(true);
  await mongo.close();
  server.close();
});

test('a database that is not there is said to be away', async () => {
  await expect(openMongo('mongodb://127.0.0.1:1/test?directConnection=true', 'test')).rejects.toThrow(/127\.0\.0\.1:1/);
});
