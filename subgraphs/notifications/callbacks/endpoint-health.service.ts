// What the callback worker tells about an endpoint: a schedule used up, a 410, a success; each with the callback's own record in one transaction.
import type { Clock } from '../../shared/clock';
import {
  conflictRetriesMax,
  type InTransaction,
  together,
  type UnitOfWork,
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
  /** Write the result of the last attempt, and tell it; they must match, or nothing is counted. */
  record: Required<Pick<UnitOfWork, 'updates' | 'events'>>;
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
    record: EndedCallback['record'] | null,
    decide: (endpoint: CallbackEndpoint, now: Date) => Decision,
  ): Promise<EndpointHealth | null> {
    for (let attempt = 1; ; attempt += 1) {
      const current = await endpoints.load(endpointId);
      if (!current) return null;
      const now = clock.now();
      const { health, facts } = decide(current, now);
      if (health === current.health && facts.length === 0 && !record) return health;
      const { endpoint, events } = endpointEvents({ ...current, health }, facts, { requestId, occurredAt: now });
      try {
        await inTransaction(
          together({ updates: [endpoints.replace(endpoint, current.version)], events }, record ?? {}),
        );
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
      save(endpointId, ended.eventId, ended.record, ({ health }, now) => {
        const decision = decideHealthAfterExhaustion(health, ended.firstFailedAt, now);
        return { health: decision.health, facts: [exhaustedFact(ended), ...decision.facts] };
      }),
    gone: (endpointId, ended) =>
      save(endpointId, ended.eventId, ended.record, ({ health }, now) => decideHealthAfterGone(health, now)),
    succeeded: (endpointId) =>
      save(endpointId, endpointId, null, ({ health }, now) =>
        health.state === 'DEGRADED'
          ? { health: healthy(now), facts: [{ type: 'callbackEndpoint.recovered', data: {} }] }
          : { health, facts: [] },
      ),
  };
}
