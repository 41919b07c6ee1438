// The one reader of request bodies: up to a limit and not a byte further. How long a body may take is the server's bound (bounded-server.ts).
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../errors';

export interface BodyRules {
  bytesMax: number;
  /** Called before the first byte is awaited, where one is to come: for clients that ask first (`Expect: 100-continue`). */
  onContinue?: (() => void) | undefined;
  /** What lies beyond the limit is read and thrown away, so that the answer arrives; absent, it stays in the socket, which the answer closes. */
  discardsExcess?: boolean;
}

/** The other side hung up before its request was complete: nobody is left to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** The whole body. Refuses with `payloadTooLarge` once the announced or received length passes the limit; rejects with ClientGone. */
export function readBody(
  request: IncomingMessage,
  { bytesMax, onContinue, discardsExcess }: BodyRules,
): Promise<Buffer> {
  const { 'content-length': announced, 'transfer-encoding': coding } = request.headers;
  if (Number(announced ?? 0) > bytesMax) {
    if (discardsExcess) request.resume();
    return Promise.reject(tooLarge(bytesMax));
  }
  if (announced === undefined && coding === undefined) return Promise.resolve(noBytes);
  onContinue?.();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) return void chunks.push(chunk);
      request.removeAllListeners('data');
      if (discardsExcess) request.resume();
      else request.pause();
      reject(tooLarge(bytesMax));
    });
    const gone = () => {
      if (!request.complete) reject(new ClientGone());
    };
    request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.once('error', gone);
    request.once('close', gone);
  });
}

const noBytes = Buffer.alloc(0);

function tooLarge(bytesMax: number): DomainError {
  return new DomainError('payloadTooLarge', `The body is longer than ${bytesMax} bytes.`);
}
