// The databases of a test run: pairs of servers that serve a few test files each and are then replaced. A MongoDB that has seen thousands of collections come and go walks
// through all that it knows whenever one goes: on one server for a whole run, the files that came last cost it four times what they cost it alone.
import { once } from 'node:events';
import { createServer } from 'node:http';

const filesPerPair = 8;

/**
 * Answers `POST <address>?process=<id>&file=<path>` with the addresses of a pair, the same ones for as long as that process runs that file: a worker that asks for
 * another file has ended the one before. `start()` resolves with `{ addresses, stop }`; pairs that still run at the end are the caller's to stop.
 */
export async function shareDatabases(start) {
  const leases = new Map();
  let current = begin();

  /** The next one starts before somebody waits for it. */
  function begin() {
    const pair = { given: 0, inUse: 0, started: start() };
    pair.started.catch(() => {}); // Whoever asks for it hears of it.
    return pair;
  }

  function lease(process, file) {
    const known = leases.get(process);
    if (known?.file === file) return known.pair;
    if (known) giveBack(known.pair);
    const pair = current;
    pair.given += 1;
    pair.inUse += 1;
    leases.set(process, { file, pair });
    if (pair.given === filesPerPair) current = begin();
    return pair;
  }

  function giveBack(pair) {
    pair.inUse -= 1;
    // One that never started has nothing to stop; whoever asked for it has been told.
    if (pair.inUse === 0 && pair !== current)
      pair.started.then(
        ({ stop }) => stop(),
        () => {},
      );
  }

  const server = createServer(async (request, response) => {
    const asked = new URL(request.url, 'http://localhost').searchParams;
    // A file that was busy for longer than an idle connection lives would ask on one that is being closed.
    response.setHeader('connection', 'close');
    try {
      const { addresses } = await lease(asked.get('process'), asked.get('file')).started;
      response.end(JSON.stringify(addresses));
    } catch (error) {
      response.writeHead(500).end(String(error?.message ?? error));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `http://127.0.0.1:${port}/`;
}
