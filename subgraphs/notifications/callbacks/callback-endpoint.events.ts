// Facts about callback endpoints, as they are written to the event log.
import { type NewEvent, newEventId } from '../../shared/store/unit-of-work';
import type { CallbackEndpoint } from './callback-endpoint';

type EndpointFactType =
  | 'callbackEndpoint.created'
  | 'callbackEndpoint.addressChanged'
  | 'callbackEndpoint.authorizationChanged'
  | 'callbackEndpoint.secretRotated'
  | 'callbackEndpoint.enabled'
  | 'callbackEndpoint.recovered'
  | 'callbackEndpoint.degraded'
  | 'callbackEndpoint.disabled'
  | 'callbackEndpoint.callbackExhausted';

export interface EndpointFact {
  type: EndpointFactType;
  data: Record<string, unknown>;
}

/** The events of these facts with the next sequences, and the endpoint that has counted them. */
export function endpointEvents(
  endpoint: CallbackEndpoint,
  facts: readonly EndpointFact[],
  origin: { requestId: string; occurredAt: Date },
): { endpoint: CallbackEndpoint; events: NewEvent[] } {
  const events = facts.map(
    ({ type, data }, index): NewEvent => ({
      _id: newEventId({ accountId: endpoint.accountId, merchantId: null }),
      environment: endpoint.environment,
      accountId: endpoint.accountId,
      merchantId: null,
      aggregateType: 'callbackEndpoint',
      aggregateId: endpoint.endpointId,
      sequence: endpoint.sequence + index + 1,
      type,
      version: 1,
      occurredAt: origin.occurredAt,
      requestId: origin.requestId,
      data: { endpointId: endpoint.endpointId, kind: endpoint.kind, ...data },
    }),
  );
  return { endpoint: { ...endpoint, sequence: endpoint.sequence + facts.length }, events };
}
