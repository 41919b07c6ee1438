// One subscriber of the fan-out benchmark: handshake, masked text frames out, unmasked frames in (RFC 6455), counted without being parsed.
import { connect, type Socket } from 'node:net';

export interface SubscriberOptions {
  port: number;
  path: string;
  /** Text messages of the subprotocol; each but the last waits for the answer to the one before. */
  messages: string[];
  /** Called for every text frame after the last message went out. */
  arrived(payload: Buffer, isFirst: boolean): void;
  /** Called when the server closed an open connection; `why` holds code and reason. */
  lost(why: string): void;
}

const opcodes = { text: 1, close: 8, ping: 9, pong: 10 } as const;
const headEnd = Buffer.from('\r\n\r\n');

export class Subscriber {
  private received: Buffer = Buffer.alloc(0);
  private isUpgraded = false;
  private isReached = false;
  private toSend: string[];
  private opened: () => void = () => undefined;
  private failed: (error: Error) => void = () => undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly options: SubscriberOptions,
  ) {
    this.toSend = [...options.messages];
    socket.setNoDelay(true);
    socket.on('data', (bytes) => this.read(bytes));
    socket.on('error', (error) => this.failed(error));
    socket.on('close', () => this.failed(new Error('closed by the server')));
  }

  /** Resolves when the last message went out. */
  static open(options: SubscriberOptions): Promise<Subscriber> {
    return new Promise((resolve, reject) => {
      const socket = connect(options.port, '127.0.0.1');
      const subscriber = new Subscriber(socket, options);
      subscriber.opened = () => resolve(subscriber);
      subscriber.failed = reject;
      socket.once('connect', () =>
        socket.write(
          `GET ${options.path} HTTP/1.1\r\nHost: 127.0.0.1:${options.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
            'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
        ),
      );
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private read(bytes: Buffer): void {
    let data = this.received.length === 0 ? bytes : Buffer.concat([this.received, bytes]);
    if (!this.isUpgraded) {
      const end = data.indexOf(headEnd);
      if (end < 0) {
        this.received = data;
        return;
      }
      const status = data.toString('latin1', 9, 12);
      if (status !== '101') {
        this.failed(new Error(`the upgrade was answered with ${status}`));
        return;
      }
      this.isUpgraded = true;
      data = data.subarray(end + headEnd.length);
      this.sendNext();
    }
    this.received = data.subarray(this.readFrames(data));
  }

  /** Handles whole frames; returns how many bytes they took. */
  private readFrames(data: Buffer): number {
    let at = 0;
    while (data.length - at >= 2) {
      const marker = (data[at + 1] as number) & 0x7f;
      const header = marker === 126 ? 4 : marker === 127 ? 10 : 2;
      if (data.length - at < header) break;
      const length =
        header === 2 ? marker : header === 4 ? data.readUInt16BE(at + 2) : Number(data.readBigUInt64BE(at + 2));
      if (data.length - at < header + length) break;
      this.handle((data[at] as number) & 0x0f, data.subarray(at + header, at + header + length));
      at += header + length;
    }
    return at;
  }

  private handle(opcode: number, payload: Buffer): void {
    if (opcode === opcodes.ping) this.write(opcodes.pong, payload);
    else if (opcode === opcodes.close) {
      this.options.lost(payload.length >= 2 ? `${payload.readUInt16BE(0)} ${payload.toString('utf8', 2)}` : 'no code');
      this.socket.destroy();
    } else if (opcode !== opcodes.text) return;
    else if (this.toSend.length > 0) this.sendNext();
    else {
      this.options.arrived(payload, !this.isReached);
      this.isReached = true;
    }
  }

  private sendNext(): void {
    const message = this.toSend.shift();
    if (message !== undefined) this.write(opcodes.text, Buffer.from(message));
    if (this.toSend.length === 0) this.opened();
  }

  /** Clients mask; a mask of zeros leaves the payload as it is. */
  private write(opcode: number, payload: Buffer): void {
    const header = payload.length < 126 ? Buffer.alloc(6) : Buffer.alloc(8);
    header[0] = 0x80 | opcode;
    header[1] = 0x80 | Math.min(payload.length, 126);
    if (payload.length >= 126) header.writeUInt16BE(payload.length, 2);
    this.socket.write(Buffer.concat([header, payload]));
  }
}
