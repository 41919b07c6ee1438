// Notes when keys are used, to the hour: one small write for each key and hour of this process, beside the request and never awaited by it.
import type { Clock } from '../../shared/clock';
import type { ApiKey } from './api-key';
import type { KeyUseRepository } from './key-use.repository';

type UsedKey = Pick<ApiKey, 'keyId' | 'environment'>;
/** Never waits and never throws. */
export type NoteKeyUse = (key: UsedKey) => void;

const hourMs = 3_600_000;
const notedMax = 10_000;

export function createKeyUses(clock: Clock, uses: Pick<KeyUseRepository, 'write'>): NoteKeyUse {
  /** The hour that was written last, by key. */
  const noted = new Map<string, number>();
  return ({ keyId, environment }) => {
    const hour = Math.floor(clock.now().getTime() / hourMs) * hourMs;
    if (noted.get(keyId) === hour) return;
    if (noted.size >= notedMax) noted.clear();
    noted.set(keyId, hour);
    // What the database could not take is tried again by the next use.
    uses.write({ keyId, environment }, new Date(hour)).catch(() => noted.delete(keyId));
  };
}
