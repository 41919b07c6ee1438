// Callback endpoints in the graph: where callbacks go, how they are signed, and switching them on again.
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Allow, AllowFresh } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { reasonArgument, reasonOfAct } from '../../shared/callers/reason';
import { PageArgs } from '../../shared/graph/page.type';
import { namesMerchant } from '../kinds/callback-kinds';
import type { Attempt } from './callback';
import { endpointLoader } from './callback.resolver';
import {
  CallbackAccount,
  CallbackAttemptType,
  CallbackEndpointConnectionType,
  CallbackEndpointType,
  CallbackEndpointWithSecretType,
  CallbackKinds,
  CallbackMerchant,
  CallbackOutcomesType,
  EndpointStates,
} from './callback.type';
import type { CallbackEndpoint, EndpointState } from './callback-endpoint';
import type { CallbackEndpointService } from './callback-endpoint.service';
import { type EndpointOutcomes, outcomesOf } from './last-at-endpoint.repository';

const originWords = 'Those at this origin: scheme, host and port, for example https://shop.example';
const ownAccount = { nullable: true, description: "Left out, the caller's own account." };

@Resolver(() => CallbackEndpointType)
export class CallbackEndpointResolver {
  constructor(private readonly endpoints: CallbackEndpointService) {}

  @Allow('callbacks:read')
  @Query(() => CallbackEndpointType, {
    nullable: true,
    description: 'One callback endpoint; null when it does not exist or the caller may not see it.',
  })
  callbackEndpoint(
    @Arg('endpointId', () => ID, { description: 'Id of the endpoint that is wanted.' }) endpointId: string,
    @Ctx() context: RequestContext,
  ) {
    return endpointLoader(this.endpoints, context).load(endpointId);
  }

  @Allow('callbacks:read')
  @Query(() => CallbackEndpointConnectionType, {
    description: 'The callback endpoints that the caller may see, by endpointId.',
  })
  callbackEndpoints(
    @Args(() => PageArgs) paging: PageArgs,
    @Ctx() context: RequestContext,
    @Arg('health', () => [EndpointStates], {
      nullable: true,
      description: 'Those whose health is any of these; absent: all.',
    })
    health?: EndpointState[] | null,
    @Arg('origin', () => String, { nullable: true, description: `${originWords}; absent: of all.` })
    origin?: string | null,
    @Arg('merchantId', () => ID, {
      nullable: true,
      description: 'Those that the last 1,000 callbacks about this merchant went to; absent: all.',
    })
    merchantId?: string | null,
  ) {
    return this.endpoints.list(context.caller, { ...paging, health, origin, merchantId });
  }

  @Allow('callbacks:write', 'sandbox:control')
  @Mutation(() => CallbackEndpointType, { description: 'Sets the base address and clears the health of the endpoint.' })
  setCallbackAddress(
    @Arg('address', () => String, { description: 'The https address that callbacks are posted to from now on.' })
    address: string,
    @Arg('kind', () => CallbackKinds, { description: 'Which family of callbacks the address is for.' }) kind: string,
    @Arg('accountId', () => ID, ownAccount) accountId: string | null,
    @Ctx() context: RequestContext,
  ) {
    return this.endpoints.setAddress(context, { accountId, kind }, address);
  }

  @Allow('callbacks:write')
  @Mutation(() => CallbackEndpointType, {
    description: 'Sets or, without a value, clears the static Authorization value.',
  })
  setCallbackAuthorization(
    @Arg('authorization', () => String, {
      nullable: true,
      description: 'The value of the Authorization header to send; absent: none.',
    })
    authorization: string | null,
    @Arg('kind', () => CallbackKinds, { description: 'Which family of callbacks it goes with.' }) kind: string,
    @Arg('accountId', () => ID, ownAccount) accountId: string | null,
    @Ctx() context: RequestContext,
  ) {
    return this.endpoints.setAuthorization(context, { accountId, kind }, authorization ?? null);
  }

  @AllowFresh('callbacks:write')
  @Mutation(() => CallbackEndpointWithSecretType, {
    description: 'A new signing secret; the former signs too for 24 hours.',
  })
  rotateCallbackSecret(
    @Arg('kind', () => CallbackKinds, { description: 'The family of callbacks whose signing secret is renewed.' })
    kind: string,
    @Arg('accountId', () => ID, ownAccount) accountId: string | null,
    @Ctx() context: RequestContext,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ) {
    return this.endpoints.rotateSecret(context, { accountId, kind }, reasonOfAct(context, reason));
  }

  @Allow('callbacks:write')
  @Mutation(() => CallbackEndpointType, { description: 'Lets an endpoint receive callbacks again.' })
  enableCallbackEndpoint(
    @Arg('endpointId', () => ID, { description: 'Id of the endpoint that is acted on.' }) endpointId: string,
    @Ctx() context: RequestContext,
  ) {
    return this.endpoints.enable(context, endpointId);
  }

  @FieldResolver(() => CallbackAccount, {
    nullable: true,
    description: 'The account, the tenant that everything of it belongs to; null when the caller may not see it.',
  })
  account(@Root() { accountId }: CallbackEndpoint): CallbackAccount {
    return { accountId };
  }

  @FieldResolver(() => CallbackAttemptType, {
    nullable: true,
    description: 'The latest attempt to deliver any of its last 100 callbacks; null when none of them was tried yet.',
  })
  async lastAttempt(@Root() { endpointId }: CallbackEndpoint, @Ctx() context: RequestContext): Promise<Attempt | null> {
    return (await this.endpoints.lastAt(context, endpointId))?.attempt ?? null;
  }

  @FieldResolver(() => CallbackOutcomesType, {
    description: 'How the newest 20 that are over of its last 100 callbacks came out.',
  })
  async lastOutcomes(
    @Root() { endpointId }: CallbackEndpoint,
    @Ctx() context: RequestContext,
  ): Promise<EndpointOutcomes> {
    return (await this.endpoints.lastAt(context, endpointId))?.outcomes ?? outcomesOf([]);
  }

  @FieldResolver(() => [CallbackMerchant], {
    description:
      'The merchants that its last 100 callbacks were about, by merchantId; none where these are about applications.',
  })
  async merchants(
    @Root() { endpointId, kind }: CallbackEndpoint,
    @Ctx() context: RequestContext,
  ): Promise<CallbackMerchant[]> {
    if (!namesMerchant(kind)) return [];
    const merchantIds = (await this.endpoints.lastAt(context, endpointId))?.merchantIds ?? [];
    return merchantIds.map((merchantId) => ({ merchantId }));
  }
}
