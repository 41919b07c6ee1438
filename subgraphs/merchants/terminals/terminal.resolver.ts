// Terminals in the graph: one line per field, everything else is in the service.
import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { reasonArgument, reasonOfAct } from '../../shared/callers/reason';
import type { Merchant, MerchantStatus } from '../merchant';
import { type MerchantReads, merchantLoader, terminalLoader, terminalsLoader } from '../merchant.reference';
import { MerchantStatuses, MerchantType } from '../merchant.type';
import { methodNames, type Terminal, type TerminalCapture, type TerminalMethodName } from './terminal';
import type { TerminalService } from './terminal.service';
import { CreateTerminalInput, PaymentServices, TerminalCaptureTypes, TerminalType } from './terminal.type';

@Resolver(() => TerminalType)
export class TerminalResolver {
  constructor(
    private readonly reads: MerchantReads,
    private readonly service: TerminalService,
  ) {}

  @Allow('merchants:read')
  @Query(() => TerminalType, {
    nullable: true,
    description: 'One terminal; null when it does not exist or the caller may not see it.',
  })
  terminal(
    @Ctx() context: RequestContext,
    @Arg('terminalId', () => ID, { description: 'Id of the terminal that is wanted.' }) terminalId: string,
  ): Promise<Terminal | null> {
    return terminalLoader(context, this.reads).load(terminalId);
  }

  @Allow('merchants:write')
  @Mutation(() => TerminalType, { description: 'Makes a point of sale of a merchant.' })
  createTerminal(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateTerminalInput, { description: 'Everything that the call is about, in one object.' })
    input: CreateTerminalInput,
  ): Promise<Terminal> {
    return this.service.createTerminal(context, { ...input });
  }

  @Allow('merchants:write')
  @Mutation(() => TerminalType, { description: 'Replaces the origins that its pages may have.' })
  setTerminalOrigins(
    @Ctx() context: RequestContext,
    @Arg('terminalId', () => ID, { description: 'Id of the terminal that is acted on.' }) terminalId: string,
    @Arg('origins', () => [String], {
      description:
        'The origins of its pages from now on, for example https://shop.example; the first counts when a request names none.',
    })
    origins: string[],
  ): Promise<Terminal> {
    return this.service.setTerminalOrigins(context, terminalId, origins);
  }

  @Allow('merchants:write')
  @Mutation(() => TerminalType, { description: 'Replaces the methods that it offers.' })
  setTerminalMethods(
    @Ctx() context: RequestContext,
    @Arg('terminalId', () => ID, { description: 'Id of the terminal that is acted on.' }) terminalId: string,
    @Arg('methods', () => [String], { description: 'The ways to pay from now on, in the words of `PaymentService`.' })
    methods: string[],
  ): Promise<Terminal> {
    return this.service.setTerminalMethods(context, terminalId, methods);
  }

  @Allow('merchants:write')
  @Mutation(() => TerminalType, { description: 'Replaces the currencies that it takes.' })
  setTerminalCurrencies(
    @Ctx() context: RequestContext,
    @Arg('terminalId', () => ID, { description: 'Id of the terminal that is acted on.' }) terminalId: string,
    @Arg('currencies', () => [String], {
      description:
        'The currencies from now on, three letters of ISO 4217 each; the first counts when a request names none.',
    })
    currencies: string[],
  ): Promise<Terminal> {
    return this.service.setTerminalCurrencies(context, terminalId, currencies);
  }

  @Allow('merchants:write')
  @Mutation(() => TerminalType, {
    description: 'INACTIVE: no new orders; operations on those that exist go on.',
  })
  setTerminalStatus(
    @Ctx() context: RequestContext,
    @Arg('terminalId', () => ID, { description: 'Id of the terminal that is acted on.' }) terminalId: string,
    @Arg('status', () => MerchantStatuses, { description: 'Whether payments may be made through it from now on.' })
    status: MerchantStatus,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ): Promise<Terminal> {
    return this.service.setTerminalStatus(context, { terminalId, status, reason: reasonOfAct(context, reason) });
  }

  @Allow('merchants:write')
  @Mutation(() => TerminalType, {
    description: "Says when a terminal's payments are captured where a request does not.",
  })
  setTerminalCaptureType(
    @Ctx() context: RequestContext,
    @Arg('terminalId', () => ID, { description: 'Id of the terminal that is acted on.' }) terminalId: string,
    @Arg('captureType', () => TerminalCaptureTypes, { description: 'When its payments are captured from now on.' })
    captureType: TerminalCapture,
    @Arg('captureDelayHours', () => Int, {
      nullable: true,
      description: 'Hours until a DEFERRED capture; absent for other capture types.',
    })
    captureDelayHours?: number | null,
  ): Promise<Terminal> {
    return this.service.setTerminalCaptureType(context, terminalId, { captureType, captureDelayHours });
  }

  @FieldResolver(() => [PaymentServices], {
    description: 'The ways to pay that it offers; one that only a newer release knows is left out.',
  })
  methods(@Root() { methods }: Terminal): TerminalMethodName[] {
    return methods.filter((method) => methodNames.includes(method));
  }

  @FieldResolver(() => MerchantType, { description: 'The merchant that it belongs to.' })
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
