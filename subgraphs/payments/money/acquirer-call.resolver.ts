// The call behind an operation, for people who ask why its result took so long (2.2-A of the decision register, No answer from the acquirer).
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { requestLoader } from '../../shared/store/loaders';
import type { Operation } from '../operations/operation';
import { OperationObjectType } from '../operations/operation.type';
import { AcquirerCallType } from './acquirer-call.type';
import type { Money } from './money';

@Resolver(() => OperationObjectType)
export class AcquirerCallResolver {
  constructor(private readonly money: Pick<Money, 'listCalls'>) {}

  @Allow('payments:read')
  @FieldResolver(() => AcquirerCallType, {
    nullable: true,
    description: 'Null when nobody was asked, or when it is not kept any more.',
  })
  acquirerCall(@Ctx() context: RequestContext, @Root() { operationId }: Operation): Promise<AcquirerCallType | null> {
    const listCalls = (ids: readonly string[]) => this.money.listCalls(ids);
    return requestLoader(context, 'AcquirerCall', listCalls, (call) => call.operationId).load(operationId);
  }
}
