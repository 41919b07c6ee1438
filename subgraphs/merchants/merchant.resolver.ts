// Merchants and agreements in the graph: one line per field, everything else is in the service.
import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../shared/allow';
import type { RequestContext } from '../shared/context';
import { DomainError } from '../shared/errors';
import { type Connection, connection, pageSize, parseCursor } from '../shared/page';
import type { Account, Agreement, AgreementStatus, Merchant, MerchantStatus, Scheme } from './merchant';
import { accountLoader, agreementLoader, type MerchantReads, merchantLoader } from './merchant.reference';
import type { Slice } from './merchant.repository';
import type { MerchantService } from './merchant.service';
import {
  AccountType,
  AgreementConnectionType,
  AgreementStatuses,
  AgreementType,
  CardSchemes,
  CreateMerchantInput,
  MerchantConnectionType,
  MerchantStatuses,
  MerchantType,
} from './merchant.type';

@Resolver(() => MerchantType)
export class MerchantResolver {
  constructor(
    private readonly reads: MerchantReads,
    private readonly service: MerchantService,
  ) {}

  @Allow('merchants:read')
  @Query(() => MerchantType, { nullable: true })
  merchant(@Ctx() context: RequestContext, @Arg('merchantId', () => ID) merchantId: string): Promise<Merchant | null> {
    return merchantLoader(context, this.reads).load(merchantId);
  }

  @Allow('merchants:read')
  @Query(() => AccountType, { nullable: true })
  account(@Ctx() context: RequestContext, @Arg('accountId', () => ID) accountId: string): Promise<Account | null> {
    return accountLoader(context, this.reads).load(accountId);
  }

  @Allow('merchants:read')
  @Query(() => MerchantConnectionType, { description: 'By merchantId.' })
  async merchants(
    @Ctx() context: RequestContext,
    @Arg('first', () => Int, { nullable: true }) first?: number | null,
    @Arg('after', () => String, { nullable: true }) after?: string | null,
  ): Promise<Connection<Merchant>> {
    return connection(
      await this.reads.merchants.list(context.caller, sliceOf(first, after)),
      after,
      ({ merchantId }) => [merchantId],
    );
  }

  @Allow('merchants:write')
  @Mutation(() => MerchantType)
  createMerchant(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateMerchantInput) input: CreateMerchantInput,
  ): Promise<Merchant> {
    return this.service.createMerchant(context, { ...input });
  }

  @Allow('merchants:write')
  @Mutation(() => MerchantType, { description: 'Lets the merchant act under an agreement of the same account.' })
  enrolMerchant(
    @Ctx() context: RequestContext,
    @Arg('merchantId', () => ID) merchantId: string,
    @Arg('agreementId', () => ID) agreementId: string,
  ): Promise<Merchant> {
    return this.service.enrolMerchant(context, merchantId, agreementId);
  }

  @Allow('merchants:write')
  @Mutation(() => MerchantType)
  setMerchantStatus(
    @Ctx() context: RequestContext,
    @Arg('merchantId', () => ID) merchantId: string,
    @Arg('status', () => MerchantStatuses) status: MerchantStatus,
  ): Promise<Merchant> {
    return this.service.setMerchantStatus(context, merchantId, status);
  }

  @FieldResolver(() => AccountType, { name: 'account' })
  ownAccount(@Ctx() context: RequestContext, @Root() { accountId }: Merchant): Promise<Account | null> {
    return accountLoader(context, this.reads).load(accountId);
  }

  @FieldResolver(() => [AgreementType], { description: 'Fifty at most.' })
  async agreements(@Ctx() context: RequestContext, @Root() { agreementIds }: Merchant): Promise<Agreement[]> {
    const loaded = await Promise.all(agreementIds.map((id) => agreementLoader(context, this.reads).load(id)));
    return loaded.filter((agreement) => agreement !== null);
  }
}

@Resolver(() => AgreementType)
export class AgreementResolver {
  constructor(
    private readonly reads: MerchantReads,
    private readonly service: MerchantService,
  ) {}

  @Allow('merchants:read')
  @Query(() => AgreementType, { nullable: true })
  agreement(
    @Ctx() context: RequestContext,
    @Arg('agreementId', () => ID) agreementId: string,
  ): Promise<Agreement | null> {
    return agreementLoader(context, this.reads).load(agreementId);
  }

  @Allow('merchants:read')
  @Query(() => AgreementConnectionType)
  async agreements(
    @Ctx() context: RequestContext,
    @Arg('first', () => Int, { nullable: true }) first?: number | null,
    @Arg('after', () => String, { nullable: true }) after?: string | null,
  ): Promise<Connection<Agreement>> {
    return connection(
      await this.reads.agreements.list(context.caller, sliceOf(first, after)),
      after,
      ({ agreementId }) => [agreementId],
    );
  }

  @Allow('merchants:write')
  @Mutation(() => AgreementType, { description: 'Suspends, resumes or (for good) terminates an agreement.' })
  setAgreementStatus(
    @Ctx() context: RequestContext,
    @Arg('agreementId', () => ID) agreementId: string,
    @Arg('status', () => AgreementStatuses) status: AgreementStatus,
  ): Promise<Agreement> {
    return this.service.setAgreementStatus(context, agreementId, status);
  }

  @Allow('merchants:write')
  @Mutation(() => AgreementType, { description: 'Chooses the card schemes that may be tokenized under it.' })
  setAgreementSchemes(
    @Ctx() context: RequestContext,
    @Arg('agreementId', () => ID) agreementId: string,
    @Arg('schemes', () => [CardSchemes]) schemes: Scheme[],
  ): Promise<Agreement> {
    return this.service.setAgreementSchemes(context, agreementId, schemes);
  }
}

/** The page that was asked for, of a list by one id; refuses with `invalidInput`. */
export function sliceOf(first: number | null | undefined, after: string | null | undefined): Slice {
  const size = pageSize(first);
  if (after === null || after === undefined) return { size, after: null };
  const [id] = parseCursor(after, 1);
  if (typeof id !== 'string')
    throw new DomainError('invalidInput', 'after is not a cursor of this list', { field: 'after' });
  return { size, after: id };
}
