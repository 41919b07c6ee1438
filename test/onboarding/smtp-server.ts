// A small mail server on loopback: speaks SMTP line by line, keeps what it took, and refuses as told.
import { createServer, type Server, type Socket } from 'node:net';

interface Delivery {
  from: string;
  to: string[];
  /** Headers and body as they came, dots unstuffed. */
  data: string;
  user: string | null;
}

/** What the server answers at a step instead of yes; `hangUp` cuts the connection there. */
type Fault = { at: 'greeting' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'end'; answer: string | 'hangUp' };

export interface SmtpServer {
  url: string;
  deliveries: Delivery[];
  /** One fault for each of the next sessions, in turn; then it behaves. */
  fail(...faults: Fault[]): void;
  close(): Promise<void>;
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const deliveries: Delivery[] = [];
  const faults: Fault[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    converse(socket, faults.shift() ?? null, (delivery) => deliveries.push(delivery));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `smtp://mailer:p%40ss@127.0.0.1:${port}`,
    deliveries,
    fail: (...next) => void faults.push(...next),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function converse(socket: Socket, fault: Fault | null, keep: (delivery: Delivery) => void): void {
  const delivery: Delivery = { from: '', to: [], data: '', user: null };
  let pending = '';
  let isData = false;
  const say = (at: Fault['at'] | null, line: string) => {
    if (fault === null || fault.at !== at) return void socket.write(`${line}\r\n`);
    if (fault.answer === 'hangUp') return void socket.destroy();
    socket.write(`${fault.answer}\r\n`);
  };
  const take = (line: string) => {
    if (isData) {
      if (line !== '.') {
        delivery.data += `${line.replace(/^\./, '')}\n`;
        return;
      }
      isData = false;
      if (fault?.at !== 'end') keep({ ...delivery });
      return say('end', '250 kept');
    }
    const [verb = ''] = line.split(' ');
    if (verb === 'EHLO') return void socket.write('250-mail.test\r\n250-AUTH PLAIN\r\n250 8BITMIME\r\n');
    if (verb === 'AUTH') {
      delivery.user = Buffer.from(line.split(' ')[2] ?? '', 'base64')
        .toString()
        .split('\0')
        .slice(1)
        .join(':');
      return say('AUTH', '235 welcome');
    }
    if (verb === 'MAIL') delivery.from = /<([^>]*)>/.exec(line)?.[1] ?? '';
    if (verb === 'RCPT') delivery.to.push(/<([^>]*)>/.exec(line)?.[1] ?? '');
    if (verb === 'DATA') isData = fault?.at !== 'DATA';
    if (verb === 'QUIT') return void socket.end('221 bye\r\n');
    say(
      verb === 'MAIL' || verb === 'RCPT' || verb === 'DATA' ? verb : null,
      verb === 'DATA' ? '354 go on' : '250 fine',
    );
  };
  socket.on('data', (chunk) => {
    pending += chunk.toString('utf8');
    for (let end = pending.indexOf('\r\n'); end >= 0; end = pending.indexOf('\r\n')) {
      const line = pending.slice(0, end);
      pending = pending.slice(end + 2);
      take(line);
    }
  });
  say('greeting', '220 mail.test');
}
