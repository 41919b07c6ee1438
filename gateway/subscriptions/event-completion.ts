// From events of the log to what a subscription shows of them: one execution for many at once, which asks each subgraph once for all of them.
import type { ExecutionResult, GraphQLError } from 'graphql';
import { eventTypeNames } from '../../subgraphs/notifications';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { DomainError } from '../../subgraphs/shared/errors';
import { newId } from '../../subgraphs/shared/ids';
import type { Tracing } from '../../subgraphs/shared/log/tracing';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import type { AggregateType } from '../../subgraphs/shared/store/unit-of-work';
import { tracedRun } from '../plan/run-operation';
import { type Payload, printPayload } from './event-frame';
import type { PreparedSubscription } from './subscription-document';

/** Events completed at once, unless the selection could return too many objects for that. */
export const completedMax = 100;
const retryPauseMs = 250;
const retriesMax = 120;

export interface Completable {
  _id: string;
  aggregateType: AggregateType;
  /** Shown in place of the event's own. */
  cursor?: string;
}

/** Each printed; null for one that the caller may not see after all. */
export type CompleteEvents = (events: readonly Completable[]) => Promise<(Payload | null)[]>;

type CompletedValue = Record<string, unknown> | null;

/** In whose name events are completed. */
export interface EventsViewer {
  caller: Caller;
  /** Absent: of many callers, from several addresses. */
  address?: string | undefined;
}

export function createCompletion(
  { query, responseName, eventsVariable, variables, cursorNames }: PreparedSubscription,
  { caller, address }: EventsViewer,
  tracing?: Tracing,
): CompleteEvents {
  let sizeMax = completedMax;

  async function execute(ids: readonly string[]): Promise<ExecutionResult> {
    for (let attempt = 0; ; attempt += 1) {
      const asked = { ...variables, [eventsVariable]: ids };
      const context = requestContext(caller, newId(), undefined, withoutUndefined({ address }));
      const result = await tracedRun(tracing, query, { variables: asked, context, kind: 'events' });
      if (!isAway(result)) return result;
      if (attempt >= retriesMax)
        throw new DomainError('unavailable', 'events cannot be completed now', { retryAfterSeconds: 5 });
      await new Promise((resolve) => setTimeout(resolve, retryPauseMs));
    }
  }

  async function complete(events: readonly Completable[]): Promise<(Payload | null)[]> {
    const result = await execute(events.map(({ _id }) => _id));
    if (isTooMuch(result) && events.length > 1) {
      sizeMax = Math.ceil(events.length / 2);
      return completeAll(events);
    }
    const shown = result.data?.[responseName] as readonly CompletedValue[] | null | undefined;
    const errors = errorsByEvent(result.errors ?? []);
    return events.map((event, index) => {
      const item = shown?.[index] ?? null;
      if (item && event.cursor !== undefined)
        for (const name of cursorNames.get(eventTypeNames[event.aggregateType]) ?? [])
          if (Object.hasOwn(item, name)) item[name] = event.cursor;
      const own = errors.size === 0 ? none : [...(errors.get(null) ?? []), ...(errors.get(index) ?? [])];
      return item === null && own.length === 0 ? null : printPayload(responseName, item, own);
    });
  }

  async function completeAll(events: readonly Completable[]): Promise<(Payload | null)[]> {
    const printed: (Payload | null)[] = [];
    while (printed.length < events.length)
      printed.push(...(await complete(events.slice(printed.length, printed.length + sizeMax))));
    return printed;
  }

  return completeAll;
}

function isAway({ errors }: ExecutionResult): boolean {
  return errors?.some((error) => error.extensions['code'] === 'unavailable') ?? false;
}

/** Nothing was executed: the objects of so many events are more than one operation may return. */
function isTooMuch({ data, errors }: ExecutionResult): boolean {
  return data === undefined && errors?.[0]?.extensions['code'] === 'invalidInput';
}

interface PrintedError {
  message: string;
  path?: readonly (string | number)[];
  extensions?: Record<string, unknown>;
}

const none: readonly PrintedError[] = [];

/** By place in the list; what concerns no place by null. A path is told as that of the one event. */
function errorsByEvent(errors: readonly GraphQLError[]): ReadonlyMap<number | null, PrintedError[]> {
  const found = new Map<number | null, PrintedError[]>();
  for (const error of errors) {
    const { path, ...printed } = error.toJSON();
    const index = typeof path?.[1] === 'number' ? path[1] : null;
    const own = path && index !== null ? { ...printed, path: [path[0] as string, ...path.slice(2)] } : error.toJSON();
    found.set(index, [...(found.get(index) ?? []), own as PrintedError]);
  }
  return found;
}
