// Terminals in the graph: one line per field, everything else is in the service.
import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../shared/allow';
import type { RequestContext } from '../shared/context';
import type { Merchant, MerchantStatus } from './merchant';
import { type MerchantReads, merchantLoader, terminalLoader, terminalsLoader } from './merchant.reference';
import { MerchantStatuses, MerchantType } from './merchant.type';
import type { CaptureType, Terminal } from './terminal';
import type { TerminalService } from './terminal.service';
import { CreateTerminalInput, TerminalCaptureTypes, TerminalType } from './terminal.type';

@Resolver(() => TerminalType)
export class TerminalResolver {
  constructor(
    private readonly reads: MerchantReads,
    private readonly service: TerminalService,
  ) {}

  @Allow('merchants:read')
  @Query(() => TerminalType, { nullable: true })
  terminal(@Ctx() context: RequestContext, @Arg('terminalId', () => ID) terminalId: string): Promise<Terminal | null> {
    return terminalLoader(context, this.reads).load(terminalId);
  }

  @Allow('merchants:write')
  @Mutation(() => TerminalType)
  createTerminal(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateTerminalInput) input: CreateTerminalInput,
  ): Promise<Terminal> {
    return this.service.createTerminal(context, { ...input });
  }

  @Allow('merchants:write')
  @Mutation(() => TerminalType, { description: 'Replaces the origins that its pages may have.' })
  setTerminalOrigins(
    @Ctx() context: RequestContext,
    @Arg('terminalId', () => ID) terminalId: string,
    @Arg('origins', () => [String]) origins: string[],
  ): Promise<Terminal> {
    return this.service.setTerminalOrigins(context, terminalId, origins);
  }

  @Allow('merchants:write')
  @Mutation(() => TerminalType, { description: 'Replaces the methods that it offers.' })
  setTerminalMethods(
    @Ctx() context: RequestContext,
    @Arg('terminalId', () => ID) terminalId: string,
    @Arg('methods', () => [String]) methods: string[],
  ): Promise<Terminal> {
    return this.service.setTerminalMethods(context, terminalId, methods);
  }

  @Allow('merchants:write')
  @Mutation(() => TerminalType, { description: 'Replaces the currencies that it takes.' })
  setTerminalCurrencies(
    @Ctx() context: RequestContext,
    @Arg('terminalId', () => ID) terminalId: string,
    @Arg('currencies', () => [String]) currencies: string[],
  ): Promise<Terminal> {
    return this.service.setTerminalCurrencies(context, terminalId, currencies);
  }

  @Allow('merchants:write')
  @Mutation(() => TerminalType, {
    description: 'INACTIVE: no new orders; operations on those that exist go on.',
  })
  setTerminalStatus(
    @Ctx() context: RequestContext,
    @Arg('terminalId', () => ID) terminalId: string,
    @Arg('status', () => MerchantStatuses) status: MerchantStatus,
  ): Promise<Terminal> {
    return this.service.setTerminalStatus(context, terminalId, status);
  }

  @Allow('merchants:write')
  @Mutation(() => TerminalType)
  setTerminalCaptureType(
    @Ctx() context: RequestContext,
    @Arg('terminalId', () => ID) terminalId: string,
    @Arg('captureType', () => TerminalCaptureTypes) captureType: CaptureType,
    @Arg('captureDelayHours', () => Int, { nullable: true }) captureDelayHours?: number | null,
  ): Promise<Terminal> {
    return this.service.setTerminalCaptureType(context, terminalId, { captureType, captureDelayHours });
  }

  @FieldResolver(() => MerchantType)
  merchant(@Ctx() context: RequestContext, @Root() { merchantId }: Terminal): Promise<Merchant | null> {
    return merchantLoader(context, this.reads).load(merchantId);
  }
}

@Resolver(() => MerchantType)
export class MerchantTerminalsResolver {
  constructor(private readonly reads: MerchantReads) {}

  @FieldResolver(() => [TerminalType], { description: 'By terminalId; two hundred at most.' })
  terminals(@Ctx() context: RequestContext, @Root() { merchantId }: Merchant): Promise<Terminal[]> {
    return terminalsLoader(context, this.reads).load(merchantId);
  }
}
