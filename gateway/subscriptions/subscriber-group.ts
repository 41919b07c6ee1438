// Subscribers that get equal bytes: one execution and one serialization per event for all of them, then ready frames.
import type { Duplex } from 'node:stream';
import type { ExecutionResult } from 'graphql';
import type { EventHead } from '../../subgraphs/notifications';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { DomainError } from '../../subgraphs/shared/errors';
import { newId } from '../../subgraphs/shared/ids';
import type { Log } from '../../subgraphs/shared/log/log';
import { createLru } from '../plan/lru';
import { nextFrame } from './event-frame';
import type { PreparedSubscription } from './subscription-document';

/** Events completed at once; they share their loaders, so that a burst costs one query per collection. */
const chunkMax = 16;
/** Payloads kept for subscribers that resume. */
const payloadsKept = 256;
const retryPauseMs = 250;
const retriesMax = 120;

export interface Member {
  /** Id that the client gave to the subscription. */
  readonly id: string;
  readonly socket: Duplex;
  /** Events up to this position are not for this member: they came before it, or were replayed to it. */
  from: number;
  /** Closes the connection because its reader is too slow. */
  tooSlow(): void;
  /** Ends the connection because events cannot be completed for now; the client resumes by cursor. */
  giveUp(): void;
}

export interface SubscriberGroupDeps {
  subscription: PreparedSubscription;
  /** Stands for all members: same account, environment and scopes. */
  caller: Caller;
  log: Log;
  bufferBytesMax: number;
  onSent?: (count: number) => void;
}

export interface SubscriberGroup {
  readonly size: number;
  add(member: Member): void;
  remove(member: Member): void;
  /** Queues events for all members, in order. */
  deliver(events: readonly EventHead[]): void;
  /** The payload of one event as JSON text; null when the caller may not see it after all. */
  payload(event: Pick<EventHead, '_id'>): Promise<string | null>;
}

export function createSubscriberGroup({
  subscription,
  caller,
  log,
  bufferBytesMax,
  onSent,
}: SubscriberGroupDeps): SubscriberGroup {
  const buckets = new Map<string, Set<Member>>();
  const payloads = createLru<Promise<string | null>>(payloadsKept);
  let size = 0;
  let queue: Promise<void> = Promise.resolve();

  async function complete(events: readonly Pick<EventHead, '_id'>[]): Promise<(string | null)[]> {
    for (let attempt = 0; ; attempt += 1) {
      const context = requestContext(caller, newId());
      const results = await Promise.all(
        events.map((event) =>
          subscription.query.execute({ ...subscription.variables, [subscription.eventVariable]: event._id }, context),
        ),
      );
      if (!results.some(isAway)) return results.map(printPayload);
      if (attempt >= retriesMax)
        throw new DomainError('unavailable', 'events cannot be completed now', { retryAfterSeconds: 5 });
      await new Promise((resolve) => setTimeout(resolve, retryPauseMs));
    }
  }

  function broadcast(position: number, payload: string): void {
    let sent = 0;
    for (const [id, members] of buckets) {
      let frame: Buffer | null = null;
      for (const member of members) {
        if (position <= member.from) continue;
        frame ??= nextFrame(id, payload);
        member.socket.write(frame);
        sent += 1;
        if (member.socket.writableLength > bufferBytesMax) member.tooSlow();
      }
    }
    onSent?.(sent);
  }

  async function run(events: readonly EventHead[]): Promise<void> {
    for (let index = 0; index < events.length && size > 0; index += chunkMax) {
      const chunk = events.slice(index, index + chunkMax);
      const printed = await complete(chunk);
      chunk.forEach((event, at) => {
        const payload = printed[at] ?? null;
        payloads.set(event._id, Promise.resolve(payload));
        if (payload !== null) broadcast(event.position, payload);
      });
    }
  }

  return {
    get size() {
      return size;
    },
    add(member) {
      const bucket = buckets.get(member.id);
      if (bucket) bucket.add(member);
      else buckets.set(member.id, new Set([member]));
      size += 1;
    },
    remove(member) {
      const bucket = buckets.get(member.id);
      if (!bucket?.delete(member)) return;
      size -= 1;
      if (bucket.size === 0) buckets.delete(member.id);
    },
    deliver(events) {
      queue = queue
        .then(() => run(events))
        .catch((error: unknown) => {
          log.error({ error, code: 'internal' }, 'events could not be completed for subscribers');
          for (const members of buckets.values()) for (const member of members) member.giveUp();
        });
    },
    async payload(event) {
      const known = payloads.get(event._id);
      if (known) return known;
      const pending = complete([event]).then(([printed]) => printed ?? null);
      payloads.set(event._id, pending);
      pending.catch(() => payloads.delete(event._id));
      return pending;
    },
  };
}

function isAway({ errors }: ExecutionResult): boolean {
  return errors?.some((error) => error.extensions['code'] === 'unavailable') ?? false;
}

function printPayload({ data, errors }: ExecutionResult): string | null {
  const isAbsent = !data || Object.values(data).every((value) => value === null);
  if (isAbsent && !errors) return null;
  return JSON.stringify({ data: data ?? null, ...(errors ? { errors: errors.map((error) => error.toJSON()) } : {}) });
}
