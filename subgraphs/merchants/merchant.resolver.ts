// Merchants and agreements in the graph: one line per field, everything else is in the service.
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../shared/callers/allow';
import type { RequestContext } from '../shared/callers/context';
import { reasonArgument, reasonOfAct } from '../shared/callers/reason';
import { DomainError } from '../shared/errors';
import { PageArgs } from '../shared/graph/page.type';
import { assertListFilter } from '../shared/list-filter';
import { idAt, readSlice } from '../shared/lists/list-order';
import { type Connection, connection } from '../shared/lists/page';
import { searchTextMax } from '../shared/search';
import type { Account, Agreement, AgreementStatus, Merchant, MerchantStatus, Scheme } from './merchant';
import { accountLoader, agreementLoader, type MerchantReads, merchantLoader } from './merchant.reference';
import type { MerchantService } from './merchant.service';
import {
  AccountType,
  AgreementConnectionType,
  AgreementStatuses,
  AgreementType,
  CardSchemes,
  CreateMerchantInput,
  MerchantConnectionType,
  MerchantFilterInput,
  MerchantOrders,
  MerchantStatuses,
  MerchantType,
} from './merchant.type';
import {
  type ListedMerchant,
  type MerchantFilter,
  type MerchantOrder,
  merchantAt,
  placeOfMerchant,
} from './merchant-list';

@Resolver(() => MerchantType)
export class MerchantResolver {
  constructor(
    private readonly reads: MerchantReads,
    private readonly service: MerchantService,
  ) {}

  @Allow('merchants:read')
  @Query(() => MerchantType, {
    nullable: true,
    description: 'One merchant; null when it does not exist or the caller may not see it.',
  })
  merchant(
    @Ctx() context: RequestContext,
    @Arg('merchantId', () => ID, { description: 'Id of the merchant that is wanted.' }) merchantId: string,
  ): Promise<Merchant | null> {
    return merchantLoader(context, this.reads).load(merchantId);
  }

  @Allow('merchants:read')
  @Query(() => MerchantConnectionType, { description: 'The merchants that the caller may see.' })
  async merchants(
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) asked: PageArgs,
    @Arg('filter', () => MerchantFilterInput, { nullable: true, description: 'Which merchants are wanted.' })
    filter?: MerchantFilterInput | null,
    @Arg('orderBy', () => MerchantOrders, { nullable: true, description: 'What comes first; absent: by merchantId.' })
    orderBy?: MerchantOrder | null,
  ): Promise<Connection<ListedMerchant>> {
    const order = orderBy ?? 'ID';
    const slice = readSlice(asked, merchantAt(order));
    const page = await this.reads.merchants.list(context.caller, { ...slice, order }, filterOf(filter ?? {}));
    return connection(page, slice, placeOfMerchant(order));
  }

  @Allow('merchants:write')
  @Mutation(() => MerchantType, { description: 'Makes a merchant of a tenant.' })
  createMerchant(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateMerchantInput, { description: 'Everything that the call is about, in one object.' })
    input: CreateMerchantInput,
  ): Promise<Merchant> {
    return this.service.createMerchant(context, { ...input });
  }

  @Allow('merchants:write')
  @Mutation(() => MerchantType, { description: 'Lets the merchant act under an agreement of the same account.' })
  enrolMerchant(
    @Ctx() context: RequestContext,
    @Arg('merchantId', () => ID, { description: 'Id of the merchant that is acted on.' }) merchantId: string,
    @Arg('agreementId', () => ID, { description: 'Id of the agreement that is acted on.' }) agreementId: string,
  ): Promise<Merchant> {
    return this.service.enrolMerchant(context, merchantId, agreementId);
  }

  @Allow('merchants:write')
  @Mutation(() => MerchantType, { description: 'Says whether a merchant may take payments.' })
  setMerchantStatus(
    @Ctx() context: RequestContext,
    @Arg('merchantId', () => ID, { description: 'Id of the merchant that is acted on.' }) merchantId: string,
    @Arg('status', () => MerchantStatuses, { description: 'Whether it may take payments from now on.' })
    status: MerchantStatus,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ): Promise<Merchant> {
    return this.service.setMerchantStatus(context, { merchantId, status, reason: reasonOfAct(context, reason) });
  }

  @FieldResolver(() => AccountType, { name: 'account', description: 'The tenant that it belongs to.' })
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
  @Query(() => AgreementType, {
    nullable: true,
    description: 'One agreement; null when it does not exist or the caller may not see it.',
  })
  agreement(
    @Ctx() context: RequestContext,
    @Arg('agreementId', () => ID, { description: 'Id of the agreement that is wanted.' }) agreementId: string,
  ): Promise<Agreement | null> {
    return agreementLoader(context, this.reads).load(agreementId);
  }

  @Allow('merchants:read')
  @Query(() => AgreementConnectionType, { description: 'The agreements that the caller may see, by agreementId.' })
  async agreements(
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) asked: PageArgs,
  ): Promise<Connection<Agreement>> {
    const slice = readSlice(asked, idAt);
    const page = await this.reads.agreements.list(context.caller, slice);
    return connection(page, slice, ({ agreementId }) => [agreementId]);
  }

  @Allow('merchants:write')
  @Mutation(() => AgreementType, { description: 'Suspends, resumes or (for good) terminates an agreement.' })
  setAgreementStatus(
    @Ctx() context: RequestContext,
    @Arg('agreementId', () => ID, { description: 'Id of the agreement that is acted on.' }) agreementId: string,
    @Arg('status', () => AgreementStatuses, { description: 'Whether it may be used from now on.' })
    status: AgreementStatus,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ): Promise<Agreement> {
    return this.service.setAgreementStatus(context, { agreementId, status, reason: reasonOfAct(context, reason) });
  }

  @Allow('merchants:write')
  @Mutation(() => AgreementType, { description: 'Chooses the card schemes that may be tokenized under it.' })
  setAgreementSchemes(
    @Ctx() context: RequestContext,
    @Arg('agreementId', () => ID, { description: 'Id of the agreement that is acted on.' }) agreementId: string,
    @Arg('schemes', () => [CardSchemes], {
      description: 'The card networks that may be tokenized under it from now on.',
    })
    schemes: Scheme[],
  ): Promise<Agreement> {
    return this.service.setAgreementSchemes(context, agreementId, schemes);
  }
}

/** Blanks are no text. Refuses with `invalidInput` lists without a value, and a text that is too long to be part of a name. */
function filterOf({ text, isDeleted, ...rest }: MerchantFilterInput): MerchantFilter {
  assertListFilter(rest);
  const sought = text?.trim() || null;
  if (sought && sought.length > searchTextMax)
    throw new DomainError('invalidInput', `text is longer than ${searchTextMax} characters`, { field: 'text' });
  return { ...rest, text: sought, isDeleted: isDeleted ?? undefined };
}
