// The event log as subscribers read it: by position, from a signed cursor, back to the replay limit (docs/sandbox.md, sections 7 and 9).
import { createHmac } from 'node:crypto';
import type { Clock } from '../../shared/clock';
import type { Config } from '../../shared/config';
import { DomainError } from '../../shared/errors';
import { equalsConstantTime } from '../../shared/ids';
import type { AggregateType } from '../../shared/store/outbox';
import type { EventLogRepository, PositionedEvent } from './event-log.repository';

const dayMs = 24 * 3_600_000;
const eventReadMax = 1_000;

interface ReadEvents {
  /** Exclusive. */
  afterPosition: number;
  /** Inclusive. */
  upTo?: number;
  merchantId?: string;
  aggregateId?: string;
  aggregateType?: AggregateType;
  /** At most `eventReadMax`. */
  limit: number;
}

export interface EventLog {
  /** Events with a position, in commit order. */
  readEvents(range: ReadEvents): Promise<PositionedEvent[]>;
  /** Position of the newest event that has one; 0 for an empty log. */
  tailPosition(): Promise<number>;
  /** Positions up to and including this one are no longer replayed: resuming below it starts with a gap item. */
  replayFloor(): Promise<number>;
  printCursor(position: number): string;
  /** The position of a cursor of ours; refuses anything else with `invalidInput`. */
  parseCursor(cursor: string): number;
}

export function createEventLog(deps: {
  repository: EventLogRepository;
  clock: Clock;
  config: Pick<Config, 'environment' | 'EVENT_REPLAY_DAYS' | 'CURSOR_KEY'>;
}): EventLog {
  const { repository, clock, config } = deps;
  const key = Buffer.from(config.CURSOR_KEY, 'base64');
  const seal = (position: string) =>
    createHmac('sha256', key).update(`event cursor ${config.environment} ${position}`).digest('base64url').slice(0, 22);

  return {
    readEvents: (range) =>
      repository.read({ ...range, environment: config.environment, limit: Math.min(range.limit, eventReadMax) }),
    tailPosition: () => repository.tailPosition(),
    replayFloor: () => repository.positionBefore(new Date(clock.now().getTime() - config.EVENT_REPLAY_DAYS * dayMs)),
    printCursor: (position) => `${Buffer.from(String(position)).toString('base64url')}.${seal(String(position))}`,
    parseCursor(cursor) {
      const [encoded = '', mark = '', ...rest] = cursor.length <= 64 ? cursor.split('.') : [];
      const position = Buffer.from(encoded, 'base64url').toString('utf8');
      const isOurs =
        rest.length === 0 && /^(0|[1-9]\d{0,15})$/.test(position) && equalsConstantTime(mark, seal(position));
      if (!isOurs) throw new DomainError('invalidInput', 'after is not a cursor of this log', { field: 'after' });
      return Number(position);
    },
  };
}
