// One delivery of the comparison cases: a 550-byte body, its signature, one POST over a pool.
import { createHmac, randomUUID } from 'node:crypto';
import type { Pool } from 'undici';

const secret = Buffer.alloc(32, 7);
const filler = 'x'.repeat(330);

/** About 550 bytes of JSON, like a notify-update with its facts. */
export function newBody(): string {
  return JSON.stringify({
    updateType: 'TOKEN_STATE_CHANGE',
    virtualAccountId: randomUUID(),
    tokenInfo: { tokenMasked: '999900******1234', tokenExpiry: '112029', tokenStatus: 'SUSPENDED' },
    note: filler,
  });
}

/** Signs and sends; rejects unless the answer is 2xx. */
export async function deliver(pool: Pool, path: string, body: string): Promise<void> {
  const id = randomUUID();
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  const answer = await pool.request({
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
  await answer.body.dump();
  if (answer.statusCode >= 300) throw new Error(`the sink answered ${answer.statusCode}`);
}
