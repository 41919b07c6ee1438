// Callbacks in the graph: lists, single ones, their attempts, and sending them again.
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { reasonArgument, reasonOfAct } from '../../shared/callers/reason';
import { PageArgs } from '../../shared/graph/page.type';
import { requestLoader } from '../../shared/store/loaders';
import type { ReadEvent } from '../events/event.resolver';
import type { OnboardingEventView } from '../events/onboarding-event';
import { OnboardingEventType } from '../events/onboarding-event.type';
import type { OperationEventView } from '../events/operation-event';
import { OperationEventType } from '../events/operation-event.type';
import type { TokenEventView } from '../events/token-event';
import { TokenEventType } from '../events/token-event.type';
import { namesMerchant, subjectOfKind } from '../kinds/callback-kinds';
import type { Attempt, Callback } from './callback';
import type { CallbackService } from './callback.service';
import {
  BulkRedeliveryType,
  CallbackAttemptType,
  CallbackConnectionType,
  CallbackEndpointType,
  CallbackFilterInput,
  CallbackMerchant,
  CallbackOperation,
  CallbackType,
  OnboardingApplicationStub,
  RedeliverCallbacksInput,
  VirtualAccountStub,
} from './callback.type';
import type { CallbackEndpoint } from './callback-endpoint';
import type { CallbackEndpointService } from './callback-endpoint.service';
import { redeliveryRights } from './redelivery';

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
  @Query(() => CallbackConnectionType, {
    description:
      'The callbacks that the caller may see, newest first. Without a merchantId, a filter that no index serves is followed for four seconds and then refused as unavailable.',
  })
  callbacks(
    @Arg('filter', () => CallbackFilterInput, {
      nullable: true,
      description: 'Which callbacks are wanted; absent: all.',
    })
    filter: CallbackFilterInput | null,
    @Args(() => PageArgs) paging: PageArgs,
    @Ctx() context: RequestContext,
  ) {
    return this.deps.callbacks.list(context.caller, filter ?? {}, paging);
  }

  @Allow('callbacks:read')
  @Query(() => CallbackType, {
    nullable: true,
    description: 'One callback; null when it does not exist or the caller may not see it.',
  })
  callback(
    @Arg('callbackId', () => ID, { description: 'Id of the callback that is wanted.' }) callbackId: string,
    @Ctx() context: RequestContext,
  ) {
    return callbackLoader(this.deps.callbacks, context).load(callbackId);
  }

  @Allow(...redeliveryRights)
  @Mutation(() => CallbackType, { description: 'Sends one callback again, with the same id and body.' })
  redeliverCallback(
    @Arg('callbackId', () => ID, { description: 'Id of the callback that is to be sent again.' }) callbackId: string,
    @Ctx() context: RequestContext,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ) {
    return this.deps.callbacks.redeliver(context, callbackId, reasonOfAct(context, reason));
  }

  @Allow('callbacks:write')
  @Mutation(() => BulkRedeliveryType, { description: 'Sends many callbacks again, at most 500 a call.' })
  redeliverCallbacks(
    @Arg('input', () => RedeliverCallbacksInput, { description: 'Everything that the call is about, in one object.' })
    input: RedeliverCallbacksInput,
    @Ctx() context: RequestContext,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ) {
    return this.deps.callbacks.redeliverMany(context, input, reasonOfAct(context, reason));
  }

  @FieldResolver(() => [CallbackAttemptType], { description: 'Every attempt to deliver it, oldest first.' })
  attempts(@Root() { attempts, status, sendingAt, redelivery }: Callback) {
    if (status !== 'SENDING' || !sendingAt) return attempts;
    return [...attempts, inFlight(attempts, sendingAt, redelivery !== null)];
  }

  @FieldResolver(() => Date, { nullable: true, description: 'When the next attempt is due, on the one clock.' })
  nextAttemptAt(@Root() { status, dueAt, createdAt }: Callback) {
    if (status !== 'PENDING') return null;
    // First attempts are due at once, on whatever host.
    return dueAt < createdAt ? createdAt : dueAt;
  }

  @FieldResolver(() => TokenEventType, {
    nullable: true,
    description: 'The event that it tells, when it is about a tokenized card; else null.',
  })
  event(@Root() { kind, eventId }: Callback, @Ctx() context: RequestContext) {
    return subjectOfKind(kind) === 'virtualAccount' ? this.deps.tokenEvent(context, eventId) : null;
  }

  @FieldResolver(() => CallbackEndpointType, {
    nullable: true,
    description: 'Where it is sent; null when the caller may not see the endpoint.',
  })
  endpoint(@Root() { endpointId }: Callback, @Ctx() context: RequestContext) {
    return endpointLoader(this.deps.endpoints, context).load(endpointId);
  }

  @FieldResolver(() => CallbackMerchant, {
    nullable: true,
    description: 'The merchant that it is about; null where it is about an application, which tells its own.',
  })
  merchant(@Root() { kind, merchantId }: Callback) {
    return merchantId !== null && namesMerchant(kind) ? { merchantId } : null;
  }

  @Allow('tokens:read')
  @FieldResolver(() => VirtualAccountStub, {
    nullable: true,
    description: 'The tokenized card that it is about; null when there is none or the caller may not see it.',
  })
  virtualAccount(@Root() { kind, orderingKey }: Callback) {
    return subjectOfKind(kind) === 'virtualAccount' ? { virtualAccountId: orderingKey } : null;
  }

  @Allow('payments:read')
  @FieldResolver(() => CallbackOperation, {
    nullable: true,
    description: 'The operation that it is about; null when there is none or the caller may not see it.',
  })
  operation(@Root() { kind, orderingKey }: Callback) {
    return subjectOfKind(kind) === 'operation' ? { operationId: orderingKey } : null;
  }

  @FieldResolver(() => OperationEventType, {
    nullable: true,
    description: 'The event that it tells, when it is about an operation; else null.',
  })
  operationEvent(@Root() { kind, eventId }: Callback, @Ctx() context: RequestContext) {
    return subjectOfKind(kind) === 'operation' ? this.deps.operationEvent(context, eventId) : null;
  }

  @Allow('onboarding:read')
  @FieldResolver(() => OnboardingApplicationStub, {
    nullable: true,
    description: 'The onboarding application that it is about; null when there is none or the caller may not see it.',
  })
  application(@Root() { kind, orderingKey }: Callback) {
    return subjectOfKind(kind) === 'application' ? { id: orderingKey } : null;
  }

  @FieldResolver(() => OnboardingEventType, {
    nullable: true,
    description: 'The event that it tells, when it is about an application; else null.',
  })
  onboardingEvent(@Root() { kind, eventId }: Callback, @Ctx() context: RequestContext) {
    return subjectOfKind(kind) === 'application' ? this.deps.onboardingEvent(context, eventId) : null;
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
  return {
    number,
    at,
    result: 'inFlight' as const,
    status: null,
    durationMs: null,
    excerpt: null,
    nextAt: null,
    isManual,
  };
}
