// The one place where HTTP servers are made: nobody else makes one, and its bounds hold on real sockets.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createBoundedServer, serverLimits } from '../../subgraphs/shared/http/bounded-server';
import { importsOf } from '../tidy/import-rules';
import { at, lineOf, nodesOf, productRooms, sourceFiles } from '../tidy/source-files';

const maker = 'subgraphs/shared/http/bounded-server.ts';
const makers = /\b(createServer|createSecureServer|express)\(|\bnew (http\.)?(Server|WebSocketServer)\(/;
const webModules = /^(node:)?(https?|http2)$|^(express|ws)$/;

it('makes every HTTP server of the sources', () => {
  const others = sourceFiles
    .filter(({ path }) => path !== maker && productRooms.some((room) => path.startsWith(`${room}/`)))
    .filter((file) => importsOf(file).some(({ target, isTypeOnly }) => webModules.test(target) && !isTypeOnly))
    .flatMap((file) =>
      [...nodesOf(file.ast)]
        .filter((node) => node.getChildCount(file.ast) > 0 && makers.test(firstLine(node.getText(file.ast))))
        .filter((node) => /^(new |createS|express\()/.test(node.getText(file.ast)))
        .map((node) => at(file, lineOf(file, node), firstLine(node.getText(file.ast)))),
    );
  // Both are handed requests by a server that was made here, and listen on nothing.
  expect([...new Set(others.map((other) => other.replace(/:\d+: .*/, '')))]).toEqual(handedRequests);
});

const handedRequests = ['gateway/subscriptions/subscriptions.ts', 'rest-facade/fallback-app.ts'];
const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';

describe('a bounded server', () => {
  let server: Server;
  let port: number;

  beforeAll(async () => {
    server = createBoundedServer({ request: (_request, response) => response.end('served') });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('has every limit', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, maxConnections } = server;
    expect({ headersTimeout, requestTimeout, keepAliveTimeout, maxConnections }).toEqual({
      headersTimeout: serverLimits.headersTimeoutMs,
      requestTimeout: serverLimits.requestTimeoutMs,
      keepAliveTimeout: serverLimits.keepAliveTimeoutMs,
      maxConnections: serverLimits.connectionsMax,
    });
  });

  it('closes a connection whose headers or body never end', async () => {
    const unfinished = ['GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n'];
    const answers = await Promise.all(unfinished.map(async (head) => answerOn(await connected(), head)));
    expect(answers).toEqual(unfinished.map(() => 'HTTP/1.1 408 Request Timeout'));
  });

  it('refuses headers beyond the limit', async () => {
    const head = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(serverLimits.headersBytesMax)}\r\n\r\n`;
    expect(await answerOn(await connected(), head)).toBe('HTTP/1.1 431 Request Header Fields Too Large');
  });

  it('closes what comes beyond its connections, and serves those it has', async () => {
    server.maxConnections = 1;
    const first = await connected();
    const second = connect(port, '127.0.0.1');
    second.on('error', () => undefined);
    await once(second, 'close');
    expect(await answerOn(first, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toBe('HTTP/1.1 200 OK');
    server.maxConnections = serverLimits.connectionsMax;
  });

  const connected = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
});

/** The first line of what comes back until the server closes. */
async function answerOn(socket: Socket, text: string): Promise<string> {
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return answer.split('\r\n', 1)[0] ?? '';
}
