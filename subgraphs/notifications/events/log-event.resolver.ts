// The whole log in the graph: events by id, whatever they are about, and the declaration of the subscription that the gateway serves.
import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root, Subscription } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { callbackLoader, endpointLoader } from '../callbacks/callback.resolver';
import type { CallbackService } from '../callbacks/callback.service';
import { CallbackEndpointType, CallbackType } from '../callbacks/callback.type';
import type { CallbackEndpointService } from '../callbacks/callback-endpoint.service';
import { EventFields } from './event-fields.type';
import type { LogEventView } from './log-event';
import { CallbackAttemptEventType, CallbackEndpointEventType, EventFilterInput, JobEventType } from './log-event.type';

/** As many as the gateway completes at once. */
const idsMax = 200;

/** In the order of the ids; null for one that is absent, or that the caller may not see. */
type ReadLogEvents = (context: RequestContext, eventIds: readonly string[]) => Promise<(LogEventView | null)[]>;

@Resolver()
export class LogEventResolver {
  constructor(private readonly read: ReadLogEvents) {}

  @Allow('events:read')
  @Query(() => [EventFields], {
    nullable: 'items',
    description: 'Events by their ids, in that order; null for one that does not exist or that the caller may not see.',
  })
  eventsById(
    @Arg('eventIds', () => [ID], { description: 'Ids of the events that are wanted, 200 at most.' }) ids: string[],
    @Ctx() context: RequestContext,
  ): Promise<(LogEventView | null)[]> {
    if (ids.length > idsMax)
      throw new DomainError('invalidInput', `at most ${idsMax} events at once`, { field: 'eventIds' });
    return this.read(context, ids);
  }

  @Allow('events:read')
  @Subscription(() => EventFields, {
    topics: 'events',
    description:
      'Everything in the log that the caller may see, in the order in which it was published; `after` replays what came since that cursor, `last` begins with the latest of what came before.',
  })
  events(
    @Root() event: object,
    @Arg('filter', () => EventFilterInput, { nullable: true, description: 'Which events are wanted; absent: all.' })
    _filter: EventFilterInput | null,
    @Arg('after', () => String, {
      nullable: true,
      description:
        'The cursor of the last event known: later ones are told first; absent: only what comes from now on.',
    })
    _after: string | null,
    @Arg('last', () => Int, {
      nullable: true,
      description:
        'How many of what came before are told first, 200 at most, of the types and merchants that the filter names; it says nothing beside `after`.',
    })
    _last: number | null,
  ): object {
    return event;
  }
}

@Resolver()
export class JobEventResolver {
  @Allow('jobs:read')
  @Subscription(() => JobEventType, {
    topics: 'events',
    description: 'How far one job has come, as it goes on; `after` replays what came since that cursor.',
  })
  jobProgress(
    @Root() event: object,
    @Arg('jobId', () => ID, { description: 'Whose events are listened to.' }) _jobId: string,
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

@Resolver(() => CallbackEndpointEventType)
export class EndpointOfEventResolver {
  constructor(private readonly endpoints: CallbackEndpointService) {}

  @Allow('callbacks:read')
  @FieldResolver(() => CallbackEndpointType, {
    nullable: true,
    description: 'The endpoint that it is about, as it is now.',
  })
  endpoint(@Root() { endpointId }: LogEventView, @Ctx() context: RequestContext) {
    return endpointId === undefined ? null : endpointLoader(this.endpoints, context).load(endpointId);
  }
}

@Resolver(() => CallbackAttemptEventType)
export class CallbackOfEventResolver {
  constructor(private readonly callbacks: CallbackService) {}

  @Allow('callbacks:read')
  @FieldResolver(() => CallbackType, {
    nullable: true,
    description: 'The callback that it is about, as it is now.',
  })
  callback(@Root() { callbackId }: LogEventView, @Ctx() context: RequestContext) {
    return callbackId === undefined ? null : callbackLoader(this.callbacks, context).load(callbackId);
  }
}
