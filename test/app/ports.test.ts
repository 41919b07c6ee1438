// Ports that a program picks: no two programs are given the same one, though neither listens on it yet.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program's own copy of the module: two of them have one process id here, as two programs may choose alike. */
function program(): typeof import('../../app/launcher/ports') {
  let own: typeof import('../../app/launcher/ports') | undefined;
  jest.isolateModules(() => {
    own = require('../../app/launcher/ports');
  });
  if (!own) throw new Error('no module');
  return own;
}

const folder = () => mkdtempSync(join(tmpdir(), 'ports-'));
const wished = { mongod: 0, 'redis-server': 0 };

test('two programs that choose before either listens are given different ports', async () => {
  const [first, second] = [program(), program()];
  const chosen = [
    await first.choosePorts(folder(), '127.0.0.1', wished),
    await second.choosePorts(folder(), '127.0.0.1', wished),
    await first.choosePorts(folder(), '127.0.0.1', { REST_PORT: 0 }),
  ].flatMap((ports) => Object.entries(ports));
  expect(new Set(chosen.slice(0, 4).map(([, port]) => port)).size).toBe(4);
  // What one program picks later lies beside what it picked first.
  const [mongod, , , , rest] = chosen.map(([, port]) => port);
  expect(Math.abs((rest ?? 0) - (mongod ?? 0))).toBeLessThan(40);
});

test('a port is kept from start to start, unless another program has come to hold its block meanwhile', async () => {
  const dataDir = folder();
  const before = await program().choosePorts(dataDir, '127.0.0.1', wished);
  const stranger = program();
  const again = program();
  // The first copy still holds the block: as long as that program lives, its folder's ports are nobody else's.
  const moved = await again.choosePorts(dataDir, '127.0.0.1', wished);
  expect(Object.values(moved)).not.toEqual(expect.arrayContaining([before.mongod]));
  expect(JSON.parse(readFileSync(join(dataDir, 'ports.json'), 'utf8'))).toEqual(moved);
  expect(await again.choosePorts(dataDir, '127.0.0.1', wished)).toEqual(moved);
  expect(await stranger.choosePorts(folder(), '127.0.0.1', wished)).not.toEqual(moved);
});

test('a port that the system once gave is kept, too', async () => {
  const dataDir = folder();
  const given = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
  writeFileSync(join(dataDir, 'ports.json'), JSON.stringify({ mongod: given }));
  const { mongod, 'redis-server': redis } = await program().choosePorts(dataDir, '127.0.0.1', wished);
  expect(mongod).toBe(given);
  expect(redis).toBeLessThan(32_000);
});
