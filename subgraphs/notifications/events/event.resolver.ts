// Events in the graph, alike for each kind of them: one by id, the declaration of the subscription that the gateway serves, and on what they are
// about the whole life and the callbacks (docs/sandbox.md, section 7).
import { Arg, Args, type ClassType, Ctx, FieldResolver, ID, Query, Resolver, Root, Subscription } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { PageArgs } from '../../shared/graph/page.type';
import type { Connection, PageArguments } from '../../shared/lists/page';
import type { CallbackService } from '../callbacks/callback.service';
import {
  CallbackConnectionType,
  CallbackMerchant,
  CallbackOperation,
  OnboardingApplicationStub,
  VirtualAccountStub,
} from '../callbacks/callback.type';
import { OnboardingEventConnectionType, OnboardingEventType } from './onboarding-event.type';
import { EventPayment, OperationEventConnectionType, OperationEventType } from './operation-event.type';
import { TokenEventConnectionType, TokenEventType } from './token-event.type';

/** The event by its id as its kind shows it; null when it is absent, foreign or of another kind. */
export type ReadEvent<View> = (context: RequestContext, eventId: string) => Promise<View | null>;
/** The events of one aggregate or operation in sequence. */
type ReadTimeline<View> = (context: RequestContext, id: string, page: PageArguments) => Promise<Connection<View>>;

interface EventNames {
  type: ClassType;
  query: string;
  subscription: string;
  /** Argument that names whose events are followed. */
  owner: string;
  /** One such event, and the events of the subscription, in words. */
  one: string;
  description: string;
}

function eventResolver({ type, query, subscription, owner, one, description }: EventNames) {
  @Resolver(() => type)
  class EventResolver {
    constructor(readonly read: ReadEvent<object>) {}

    @Allow('events:read')
    @Query(() => type, {
      name: query,
      nullable: true,
      description: `${one}; null when it does not exist or the caller may not see it.`,
    })
    event(
      @Arg('eventId', () => ID, { description: 'Id of the event that is wanted.' }) eventId: string,
      @Ctx() context: RequestContext,
    ) {
      return this.read(context, eventId);
    }

    @Allow('events:read')
    @Subscription(() => type, {
      name: subscription,
      topics: 'events',
      description: `${description}, in commit order; \`after\` replays what came since that cursor.`,
    })
    events(
      @Root() event: object,
      @Arg(owner, () => ID, { description: 'Whose events are listened to.' }) _owner: string,
      @Arg('after', () => String, {
        nullable: true,
        description:
          'The cursor of the last event known: later ones are told first; absent: only what comes from now on.',
      })
      _after: string | null,
    ): object {
      return event;
    }
  }
  return EventResolver;
}

export const TokenEventResolver = eventResolver({
  type: TokenEventType,
  query: 'tokenEvent',
  subscription: 'tokenEvents',
  owner: 'merchantId',
  one: 'One event of a tokenized card',
  description: 'Events of the virtual accounts of one merchant',
});

export const OperationEventResolver = eventResolver({
  type: OperationEventType,
  query: 'operationEvent',
  subscription: 'operationEvents',
  owner: 'merchantId',
  one: 'One event of an operation',
  description: 'Events of the operations of one merchant, of both payment families',
});

export const OnboardingEventResolver = eventResolver({
  type: OnboardingEventType,
  query: 'onboardingEvent',
  subscription: 'onboardingEvents',
  owner: 'applicationId',
  one: 'One event of an onboarding application',
  description: 'Events of one onboarding application',
});

interface LifeDeps {
  callbacks: Pick<CallbackService, 'listOf'>;
  timeline: ReadTimeline<object>;
}

/** `timeline` and `callbacks` on what events are about; `key` is its key field. */
function lifeResolver({ stub, connection, key }: { stub: ClassType; connection: ClassType; key: string }) {
  @Resolver(() => stub)
  class LifeResolver {
    constructor(readonly deps: LifeDeps) {}

    @Allow('events:read')
    @FieldResolver(() => connection, { nullable: true, description: 'Its whole life, oldest first.' })
    timeline(
      @Root() root: Record<string, string>,
      @Args(() => PageArgs) paging: PageArgs,
      @Ctx() context: RequestContext,
    ) {
      return this.deps.timeline(context, String(root[key]), paging);
    }

    @Allow('callbacks:read')
    @FieldResolver(() => CallbackConnectionType, {
      nullable: true,
      description: 'The callbacks about it, newest first.',
    })
    callbacks(
      @Root() root: Record<string, string>,
      @Args(() => PageArgs) paging: PageArgs,
      @Ctx() context: RequestContext,
    ) {
      return this.deps.callbacks.listOf(context, 'orderingKey', String(root[key]), paging);
    }
  }
  return LifeResolver;
}

export const VirtualAccountLifeResolver = lifeResolver({
  stub: VirtualAccountStub,
  connection: TokenEventConnectionType,
  key: 'virtualAccountId',
});

export const OperationLifeResolver = lifeResolver({
  stub: CallbackOperation,
  connection: OperationEventConnectionType,
  key: 'operationId',
});

export const ApplicationLifeResolver = lifeResolver({
  stub: OnboardingApplicationStub,
  connection: OnboardingEventConnectionType,
  key: 'id',
});

@Resolver(() => EventPayment)
export class PaymentLifeResolver {
  constructor(private readonly deps: LifeDeps) {}

  @Allow('events:read')
  @FieldResolver(() => OperationEventConnectionType, {
    nullable: true,
    description: 'What happened to it, in all its operations, oldest first.',
  })
  timeline(
    @Root() { paymentId }: EventPayment,
    @Args(() => PageArgs) paging: PageArgs,
    @Ctx() context: RequestContext,
  ) {
    return this.deps.timeline(context, paymentId, paging);
  }

  @Allow('callbacks:read')
  @FieldResolver(() => CallbackConnectionType, {
    nullable: true,
    description: 'The callbacks about it, in all its operations, newest first.',
  })
  callbacks(
    @Root() { paymentId }: EventPayment,
    @Args(() => PageArgs) paging: PageArgs,
    @Ctx() context: RequestContext,
  ) {
    return this.deps.callbacks.listOf(context, 'paymentId', paymentId, paging);
  }
}

@Resolver(() => CallbackMerchant)
export class MerchantCallbacksResolver {
  constructor(private readonly deps: Pick<LifeDeps, 'callbacks'>) {}

  @Allow('callbacks:read')
  @FieldResolver(() => CallbackConnectionType, {
    nullable: true,
    description: 'Callbacks about anything of the merchant, newest first.',
  })
  callbacks(
    @Root() { merchantId }: CallbackMerchant,
    @Args(() => PageArgs) paging: PageArgs,
    @Ctx() context: RequestContext,
  ) {
    return this.deps.callbacks.listOf(context, 'merchantId', merchantId, paging);
  }
}
