// Entities of this subgraph by key: its own through the request's loaders, those of other domains as they came.
import type { ResolveReference } from '../../shared/graph/subgraph';
import { type CallbackResolverDeps, callbackLoader, endpointLoader } from './callback.resolver';

const asItCame =
  (key: string): ResolveReference =>
  (representation) => ({ [key]: representation[key] });

export function notificationReferences(deps: CallbackResolverDeps): Record<string, ResolveReference> {
  return {
    Callback: ({ callbackId }, context) => callbackLoader(deps.callbacks, context).load(String(callbackId)),
    CallbackEndpoint: ({ endpointId }, context) => endpointLoader(deps.endpoints, context).load(String(endpointId)),
    TokenEvent: ({ eventId }, context) => deps.tokenEvent(context, String(eventId)),
    OperationEvent: ({ eventId }, context) => deps.operationEvent(context, String(eventId)),
    OnboardingEvent: ({ eventId }, context) => deps.onboardingEvent(context, String(eventId)),
    Operation: asItCame('operationId'),
    Payment: asItCame('paymentId'),
    Payout: asItCame('payoutId'),
    VirtualAccount: asItCame('virtualAccountId'),
    OnboardingApplication: asItCame('id'),
    Merchant: asItCame('merchantId'),
  };
}
