// Callback endpoints in the graph, grouped by origin: how many are well, what waits for them, and whose they are.
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { PageArgs, TotalCountType } from '../../shared/graph/page.type';
import type { TotalCount } from '../../shared/lists/page';
import { EndpointStates } from '../callbacks/callback.type';
import type { EndpointState } from '../callbacks/callback-endpoint';
import type { Undelivered } from './callback-origin.repository';
import type { CallbackOriginService, StateCount } from './callback-origin.service';
import {
  CallbackOriginConnectionType,
  CallbackOriginType,
  EndpointStateCountType,
  OriginTerminal,
  UndeliveredType,
} from './callback-origin.type';

@Resolver(() => CallbackOriginType)
export class CallbackOriginResolver {
  constructor(private readonly origins: CallbackOriginService) {}

  @Allow('callbacks:read')
  @Query(() => CallbackOriginConnectionType, {
    description: 'The origins of the callback endpoints that the caller may see, by name.',
  })
  callbackOrigins(
    @Args(() => PageArgs) paging: PageArgs,
    @Ctx() { caller }: RequestContext,
    @Arg('health', () => [EndpointStates], {
      nullable: true,
      description: 'Those with an endpoint whose health is any of these; absent: all.',
    })
    health?: EndpointState[] | null,
    @Arg('merchantId', () => ID, {
      nullable: true,
      description: 'Those that the last 1,000 callbacks about this merchant went to; absent: all.',
    })
    merchantId?: string | null,
  ) {
    return this.origins.list(caller, { ...paging, health, merchantId });
  }

  @FieldResolver(() => TotalCountType, { description: 'How many endpoints it has.' })
  total(@Ctx() context: RequestContext, @Root() { origin }: CallbackOriginType): Promise<TotalCount> {
    return this.origins.total(context, origin);
  }

  @FieldResolver(() => [EndpointStateCountType], { description: 'How many of them have which health.' })
  health(@Ctx() context: RequestContext, @Root() { origin }: CallbackOriginType): Promise<StateCount[]> {
    return this.origins.health(context, origin);
  }

  @FieldResolver(() => UndeliveredType, { description: 'What waits for 1,000 of its endpoints.' })
  undelivered(@Ctx() context: RequestContext, @Root() { origin }: CallbackOriginType): Promise<Undelivered> {
    return this.origins.undelivered(context, origin);
  }

  @FieldResolver(() => [OriginTerminal], {
    description: 'The terminals whose operations the last 100 callbacks to 100 of its endpoints told.',
  })
  async terminals(@Ctx() context: RequestContext, @Root() { origin }: CallbackOriginType): Promise<OriginTerminal[]> {
    const terminalIds = await this.origins.terminals(context, origin);
    return terminalIds.map((terminalId) => ({ terminalId }));
  }
}
