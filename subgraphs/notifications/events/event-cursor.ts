// Cursors of events, signed so that a client can only bring back what it was given: a position among the events of one merchant or application, or a place in the whole log.
import { createHmac, createSecretKey } from 'node:crypto';
import type { Config } from '../../shared/config';
import { DomainError } from '../../shared/errors';
import { equalsConstantTime } from '../../shared/ids';
import { parsePlace, printPlace, type StreamPlace } from './log-place';

export interface EventCursors {
  printCursor(position: number): string;
  /** The position of a cursor of ours; refuses anything else with `invalidInput`. */
  parseCursor(cursor: string): number;
  printPlace(place: StreamPlace): string;
  /** A place in the whole log, or a position among the events of one owner. */
  parseAny(cursor: string): StreamPlace | number;
}

/** Longer than that of a log with as many lanes as there can be. */
const charsMax = 1_024;
const positionPattern = /^(0|[1-9]\d{0,15})$/;

export function createEventCursors({
  environment,
  CURSOR_KEY,
}: Pick<Config, 'environment' | 'CURSOR_KEY'>): EventCursors {
  const key = createSecretKey(CURSOR_KEY, 'base64');
  const seal = (text: string) =>
    createHmac('sha256', key).update(`event cursor ${environment} ${text}`).digest('base64url').slice(0, 22);
  const print = (text: string) => `${Buffer.from(text).toString('base64url')}.${seal(text)}`;

  function parseAny(cursor: string): StreamPlace | number {
    const [encoded = '', mark = '', ...rest] = cursor.length <= charsMax ? cursor.split('.') : [];
    const text = Buffer.from(encoded, 'base64url').toString('utf8');
    const parsed = positionPattern.test(text) ? Number(text) : parsePlace(text);
    if (rest.length > 0 || parsed === null || !equalsConstantTime(mark, seal(text))) throw notOurs();
    return parsed;
  }

  return {
    printCursor: (position) => print(String(position)),
    printPlace: (place) => print(printPlace(place)),
    parseAny,
    parseCursor(cursor) {
      const parsed = parseAny(cursor);
      if (typeof parsed === 'number') return parsed;
      throw new DomainError('invalidInput', 'after is a cursor of `events`, which is no place in this list', {
        field: 'after',
      });
    },
  };
}

function notOurs(): DomainError {
  return new DomainError('invalidInput', 'after is not a cursor of this log', { field: 'after' });
}
