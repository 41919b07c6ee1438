// Callbacks in the graph: lists, single ones, their attempts, and sending them again.
import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../shared/allow';
import type { RequestContext } from '../shared/context';
import { requestLoader } from '../shared/loaders';
import type { Attempt, Callback } from './callback';
import type { CallbackService } from './callback.service';
import {
  BulkRedeliveryType,
  CallbackAttemptType,
  CallbackConnectionType,
  CallbackEndpointType,
  CallbackFilterInput,
  CallbackType,
  MerchantStub,
  OnboardingApplicationStub,
  OperationStub,
  RedeliverCallbacksInput,
  VirtualAccountStub,
} from './callback.type';
import type { CallbackEndpoint } from './callback-endpoint';
import type { CallbackEndpointService } from './callback-endpoint.service';
import type { ReadEvent } from './event.resolver';
import type { OnboardingEventView } from './onboarding-event';
import { OnboardingEventType } from './onboarding-event.type';
import type { OperationEventView } from './operation-event';
import { OperationEventType } from './operation-event.type';
import type { TokenEventView } from './token-event';
import { TokenEventType } from './token-event.type';

export interface CallbackResolverDeps {
  callbacks: CallbackService;
  endpoints: CallbackEndpointService;
  tokenEvent: ReadEvent<TokenEventView>;
  operationEvent: ReadEvent<OperationEventView>;
  onboardingEvent: ReadEvent<OnboardingEventView>;
}

@Resolver(() => CallbackType)
export class CallbackResolver {
  constructor(private readonly deps: CallbackResolverDeps) {}

  @Allow('callbacks:read')
  @Query(() => CallbackConnectionType)
  callbacks(
    @Arg('filter', () => CallbackFilterInput, { nullable: true }) filter: CallbackFilterInput | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: RequestContext,
  ) {
    return this.deps.callbacks.list(context.caller, filter ?? {}, { first, after });
  }

  @Allow('callbacks:read')
  @Query(() => CallbackType, { nullable: true })
  callback(@Arg('callbackId', () => ID) callbackId: string, @Ctx() context: RequestContext) {
    return callbackLoader(this.deps.callbacks, context).load(callbackId);
  }

  @Allow('callbacks:write')
  @Mutation(() => CallbackType)
  redeliverCallback(@Arg('callbackId', () => ID) callbackId: string, @Ctx() context: RequestContext) {
    return this.deps.callbacks.redeliver(context, callbackId);
  }

  @Allow('callbacks:write')
  @Mutation(() => BulkRedeliveryType)
  redeliverCallbacks(
    @Arg('input', () => RedeliverCallbacksInput) input: RedeliverCallbacksInput,
    @Ctx() context: RequestContext,
  ) {
    return this.deps.callbacks.redeliverMany(context, input);
  }

  @FieldResolver(() => [CallbackAttemptType])
  attempts(@Root() { attempts, status, sendingAt, redelivery }: Callback) {
    if (status !== 'SENDING' || !sendingAt) return attempts;
    return [...attempts, inFlight(attempts, sendingAt, redelivery !== null)];
  }

  @FieldResolver(() => Date, { nullable: true, description: 'When the next attempt is due, on the one clock.' })
  nextAttemptAt(@Root() { status, dueAt }: Callback) {
    return status === 'PENDING' ? dueAt : null;
  }

  @FieldResolver(() => TokenEventType, { nullable: true })
  event(@Root() { kind, eventId }: Callback, @Ctx() context: RequestContext) {
    return kind === 'notify-update' ? this.deps.tokenEvent(context, eventId) : null;
  }

  @FieldResolver(() => CallbackEndpointType, { nullable: true })
  endpoint(@Root() { endpointId }: Callback, @Ctx() context: RequestContext) {
    return endpointLoader(this.deps.endpoints, context).load(endpointId);
  }

  @FieldResolver(() => MerchantStub, { nullable: true })
  merchant(@Root() { merchantId }: Callback) {
    return merchantId === null ? null : { merchantId };
  }

  @FieldResolver(() => VirtualAccountStub, { nullable: true })
  virtualAccount(@Root() { kind, orderingKey }: Callback) {
    return kind === 'notify-update' ? { virtualAccountId: orderingKey } : null;
  }

  @FieldResolver(() => OperationStub, { nullable: true })
  operation(@Root() { kind, orderingKey }: Callback) {
    return kind === 'merchant-notification' ? { operationId: orderingKey } : null;
  }

  @FieldResolver(() => OperationEventType, { nullable: true })
  operationEvent(@Root() { kind, eventId }: Callback, @Ctx() context: RequestContext) {
    return kind === 'merchant-notification' ? this.deps.operationEvent(context, eventId) : null;
  }

  @FieldResolver(() => OnboardingApplicationStub, { nullable: true })
  application(@Root() { kind, orderingKey }: Callback) {
    return kind === 'onboarding-webhook' ? { id: orderingKey } : null;
  }

  @FieldResolver(() => OnboardingEventType, { nullable: true })
  onboardingEvent(@Root() { kind, eventId }: Callback, @Ctx() context: RequestContext) {
    return kind === 'onboarding-webhook' ? this.deps.onboardingEvent(context, eventId) : null;
  }
}

export function callbackLoader(callbacks: CallbackService, context: RequestContext) {
  return requestLoader<Callback>(
    context,
    'callbacks',
    (ids) => callbacks.find(context.caller, ids),
    ({ callbackId }) => callbackId,
  );
}

export function endpointLoader(endpoints: CallbackEndpointService, context: RequestContext) {
  return requestLoader<CallbackEndpoint>(
    context,
    'callbackEndpoints',
    (ids) => endpoints.find(context.caller, ids),
    ({ endpointId }) => endpointId,
  );
}

function inFlight(before: readonly Attempt[], at: Date, isManual: boolean) {
  const number = (before.at(-1)?.number ?? 0) + 1;
  return { number, at, result: 'inFlight', status: null, durationMs: null, excerpt: null, nextAt: null, isManual };
}
