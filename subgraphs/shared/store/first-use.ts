// Whether an id was told before, asked of Redis for all processes at once; without Redis it says yes, and the asker's own memory is left.
import type { Redis } from 'ioredis';
import { inTime } from '../deadline';

const answerMsMax = 250;
/** After a failed call Redis is left alone that long. */
const awayMs = 1_000;

/** True when nobody told the id within `forMs` before. `redis` is one opened for requests: its calls fail fast. */
export function createFirstUse(
  redis: Pick<Redis, 'set'>,
  prefix: string,
): (id: string, forMs: number) => Promise<boolean> {
  let awayUntilMs = 0;
  return async (id, forMs) => {
    if (performance.now() < awayUntilMs) return true;
    try {
      const asked = redis.set(`${prefix}:${id}`, '1', 'PX', forMs, 'NX');
      return (await inTime(asked, answerMsMax, () => new Error('Redis does not answer'))) === 'OK';
    } catch {
      awayUntilMs = performance.now() + awayMs;
      return true;
    }
  };
}
