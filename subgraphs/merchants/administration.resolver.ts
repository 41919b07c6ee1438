// Administration in the graph: one line per field, everything else is in the service (merchant administration).
import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { Allow } from '../shared/callers/allow';
import type { RequestContext } from '../shared/callers/context';
import { reasonArgument, reasonOfAct } from '../shared/callers/reason';
import type { AdministrationService } from './administration.service';
import { AdministeredMerchantInput, UpdateMerchantInput } from './administration.type';
import { createAgreement, type NewAgreementDeps } from './agreements/new-agreement.service';
import type { Agreement, Merchant } from './merchant';
import { AgreementType, CreateAgreementInput, MerchantType } from './merchant.type';

@Resolver(() => MerchantType)
export class AdministrationResolver {
  constructor(private readonly service: AdministrationService) {}

  @Allow('administration')
  @Mutation(() => MerchantType, { description: 'A merchant of the account that the consumer key speaks for.' })
  addMerchant(
    @Ctx() context: RequestContext,
    @Arg('input', () => AdministeredMerchantInput, { description: 'Everything that the call is about, in one object.' })
    input: AdministeredMerchantInput,
  ): Promise<Merchant> {
    return this.service.addMerchant(context, { ...input });
  }

  @Allow('administration')
  @Mutation(() => MerchantType, { description: 'The whole body counts: what it leaves out is empty afterwards.' })
  replaceMerchant(
    @Ctx() context: RequestContext,
    @Arg('merchantId', () => ID, { description: 'Id of the merchant that is acted on.' }) merchantId: string,
    @Arg('input', () => AdministeredMerchantInput, { description: 'Everything that the call is about, in one object.' })
    input: AdministeredMerchantInput,
  ): Promise<Merchant> {
    return this.service.replaceMerchant(context, merchantId, { ...input });
  }

  @Allow('merchants:write')
  @Mutation(() => MerchantType, { description: 'Changes what is said, and nothing else.' })
  updateMerchant(
    @Ctx() context: RequestContext,
    @Arg('merchantId', () => ID, { description: 'Id of the merchant that is acted on.' }) merchantId: string,
    @Arg('input', () => UpdateMerchantInput, { description: 'Everything that the call is about, in one object.' })
    input: UpdateMerchantInput,
  ): Promise<Merchant> {
    return this.service.updateMerchant(context, merchantId, { ...input });
  }

  @Allow('administration', 'merchants:write')
  @Mutation(() => MerchantType, {
    description:
      'For good: no new orders from now on, keys and sessions end within seconds; what is open still settles.',
  })
  deleteMerchant(
    @Ctx() context: RequestContext,
    @Arg('merchantId', () => ID, { description: 'Id of the merchant that is acted on.' }) merchantId: string,
    @Arg('userId', () => String, { description: 'User or system on whose behalf.' }) userId: string,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ): Promise<Merchant> {
    return this.service.deleteMerchant(context, { merchantId, userId, reason: reasonOfAct(context, reason) });
  }

  @FieldResolver(() => Date, { nullable: true, description: 'null: it was not deleted.' })
  deletedAt(@Root() { deletion }: Merchant): Date | null {
    return deletion?.at ?? null;
  }
}

@Resolver(() => AgreementType)
export class NewAgreementResolver {
  constructor(private readonly deps: NewAgreementDeps) {}

  @Allow('merchants:write')
  @Mutation(() => AgreementType, {
    description: 'One for each triple of identifiers; merchants are enrolled under it.',
  })
  createAgreement(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateAgreementInput, { description: 'Everything that the call is about, in one object.' })
    input: CreateAgreementInput,
  ): Promise<Agreement> {
    return createAgreement(this.deps, context, { ...input });
  }
}
