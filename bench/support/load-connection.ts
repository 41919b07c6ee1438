// One keep-alive connection of the load: writes a ready request, reads one answer, says its status.
import { connect, type Socket } from 'node:net';

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

/** One request at a time; `exchange` rejects when the server closes in between. */
export class LoadConnection {
  private received: Buffer = Buffer.alloc(0);
  private waiting: { resolve(status: number): void; reject(error: Error): void } | null = null;
  /** Bytes of the whole answer once its head is read; -1 while unknown, -2 for a chunked one. */
  private answerLength = -1;
  private status = 0;
  /** Head and body of the last answer that was not 2xx. */
  refusal = '';

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (bytes) => this.read(bytes));
    socket.on('close', () => this.fail(new Error('closed by the server')));
    socket.on('error', (error) => this.fail(error));
  }

  static open(port: number): Promise<LoadConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new LoadConnection(socket)));
      socket.once('error', reject);
    });
  }

  exchange(message: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(message);
    });
  }

  close(): void {
    this.waiting = null;
    this.socket.destroy();
  }

  private read(bytes: Buffer): void {
    this.received = this.received.length === 0 ? bytes : Buffer.concat([this.received, bytes]);
    if (this.answerLength === -1 && !this.readHead()) return;
    const isWhole =
      this.answerLength === -2
        ? this.received.subarray(-lastChunk.length).equals(lastChunk)
        : this.received.length >= this.answerLength;
    if (!isWhole) return;
    if (this.status < 200 || this.status > 299) this.refusal = this.received.toString('utf8');
    this.received = Buffer.alloc(0);
    this.answerLength = -1;
    const { waiting } = this;
    this.waiting = null;
    waiting?.resolve(this.status);
  }

  private readHead(): boolean {
    const end = this.received.indexOf(headEnd);
    if (end < 0) return false;
    const head = this.received.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.status = Number(head.slice(9, 12));
    if (length !== undefined) this.answerLength = end + headEnd.length + Number(length);
    else this.answerLength = /\r\ntransfer-encoding: *chunked/i.test(head) ? -2 : end + headEnd.length;
    return true;
  }

  private fail(error: Error): void {
    this.waiting?.reject(error);
    this.waiting = null;
  }
}
