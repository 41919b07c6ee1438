// Reading a request body up to a limit, and not a byte further.
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../subgraphs/shared/errors';

/** The whole body; refuses with `payloadTooLarge` as soon as it is known to be too long, and rejects when the client goes away. */
export function readRequestBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return Promise.reject(tooLarge(bytesMax));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        request.pause();
        reject(tooLarge(bytesMax));
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('aborted', () => reject(new Error('the client went away')));
  });
}

function tooLarge(bytesMax: number): DomainError {
  return new DomainError('payloadTooLarge', `the body is longer than ${bytesMax} bytes`);
}
