// What the callback worker tells about an endpoint: a schedule used up, a 410, a success; each with the callback's own record in one transaction.
import type { Clock } from '../../shared/clock';
import {
  conflictRetriesMax,
  type InTransaction,
  type UpdateWrite,
  WriteConflict,
} from '../../shared/store/unit-of-work';
import {
  type CallbackEndpoint,
  decideHealthAfterExhaustion,
  decideHealthAfterGone,
  type EndpointHealth,
  healthy,
} from './callback-endpoint';
import { type EndpointFact, endpointEvents } from './callback-endpoint.events';
import type { CallbackEndpointRepository } from './callback-endpoint.repository';

interface EndedCallback {
  callbackId: string;
  eventId: string;
  attempts: number;
  /** First failed attempt of this callback. */
  firstFailedAt: Date;
  /** Writes the result of the last attempt; it must match, or nothing is counted. */
  record: UpdateWrite;
}

export interface EndpointHealthService {
  /** Counts an event whose schedule is used up; disables the endpoint after five in a row over three days. */
  exhausted(endpointId: string, ended: EndedCallback): Promise<EndpointHealth | null>;
  /** A 410 came: nothing more is sent until the endpoint is enabled. */
  gone(endpointId: string, ended: EndedCallback): Promise<EndpointHealth | null>;
  /** One success clears the count. */
  succeeded(endpointId: string): Promise<EndpointHealth | null>;
}

export function createEndpointHealthService(deps: {
  endpoints: CallbackEndpointRepository;
  inTransaction: InTransaction;
  clock: Clock;
}): EndpointHealthService {
  const { endpoints, inTransaction, clock } = deps;

  type Decision = { health: EndpointHealth; facts: readonly EndpointFact[] };
  async function save(
    endpointId: string,
    requestId: string,
    writes: UpdateWrite[],
    decide: (endpoint: CallbackEndpoint, now: Date) => Decision,
  ): Promise<EndpointHealth | null> {
    for (let attempt = 1; ; attempt += 1) {
      const current = await endpoints.load(endpointId);
      if (!current) return null;
      const now = clock.now();
      const { health, facts } = decide(current, now);
      if (health === current.health && facts.length === 0 && writes.length === 0) return health;
      const { endpoint, events } = endpointEvents({ ...current, health }, facts, { requestId, occurredAt: now });
      try {
        await inTransaction({ updates: [endpoints.replace(endpoint, current.version), ...writes], events });
        return health;
      } catch (error) {
        if (!(error instanceof WriteConflict) || attempt >= conflictRetriesMax) throw error;
      }
    }
  }

  const exhaustedFact = ({ callbackId, eventId, attempts }: EndedCallback): EndpointFact => ({
    type: 'callbackEndpoint.callbackExhausted',
    data: { callbackId, eventId, attempts },
  });

  return {
    exhausted: (endpointId, ended) =>
      save(endpointId, ended.eventId, [ended.record], ({ health }, now) => {
        const decision = decideHealthAfterExhaustion(health, ended.firstFailedAt, now);
        return { health: decision.health, facts: [exhaustedFact(ended), ...decision.facts] };
      }),
    gone: (endpointId, ended) =>
      save(endpointId, ended.eventId, [ended.record], ({ health }, now) => decideHealthAfterGone(health, now)),
    succeeded: (endpointId) =>
      save(endpointId, endpointId, [], ({ health }, now) =>
        health.state === 'DEGRADED'
          ? { health: healthy(now), facts: [{ type: 'callbackEndpoint.recovered', data: {} }] }
          : { health, facts: [] },
      ),
  };
}
