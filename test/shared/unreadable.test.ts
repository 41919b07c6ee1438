// What a server makes of clients that it cannot read or that are slow, and of its own standing still.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { answerUnreadable } from '../../subgraphs/shared/http/unreadable';
import { standStill } from '../support/stand-still';
import { eventually } from '../support/stores';

let server: Server;
let port: number;
/** The server's end of the connection that came last. */
let newest: Socket;

beforeAll(async () => {
  server = createServer(
    { headersTimeout: 400, requestTimeout: 600, connectionsCheckingInterval: 50, maxHeaderSize: 4_096 },
    (request, response) => void request.on('end', () => response.end('served')).resume(),
  );
  answerUnreadable(server);
  server.on('connection', (socket) => {
    newest = socket;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n';
const whole = `${head}\r\nbody`;

/** All that comes back until the server closes, or until it has served. */
function answerOn(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.endsWith('served')) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text.split('\r\n')[0] ?? ''));
  });
}

function connected(): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
  });
}

it.each([
  { what: 'nothing', sent: '', line: '' },
  { what: 'half a head', sent: head, line: 'HTTP/1.1 408 Request Timeout' },
  { what: 'half a body', sent: `${head}\r\nbo`, line: 'HTTP/1.1 408 Request Timeout' },
  { what: 'no HTTP', sent: 'hello\r\n\r\n', line: 'HTTP/1.1 400 Bad Request' },
  {
    what: 'a head that is too long',
    sent: `${head}x: ${'y'.repeat(5_000)}\r\n\r\n`,
    line: 'HTTP/1.1 431 Request Header Fields Too Large',
  },
  { what: 'a whole request', sent: whole, line: 'HTTP/1.1 200 OK' },
])('$what is answered with "$line"', async ({ sent, line }) => {
  const socket = await connected();
  socket.write(sent);
  expect(await answerOn(socket)).toBe(line);
});

it.each([
  { what: 'on a new connection', before: '' },
  { what: 'whose head had come', before: `${head}\r\n` },
  { what: 'of which half a head had come', before: head },
])('a request $what is served although the server stood still for longer than anybody may take', async ({ before }) => {
  const socket = await connected();
  const answer = answerOn(socket);
  socket.write(before);
  await eventually(() => newest.remotePort === socket.localPort && newest.bytesRead === before.length);
  socket.write(whole.slice(before.length));
  standStill(1_000);
  expect(await answer).toBe('HTTP/1.1 200 OK');
});
