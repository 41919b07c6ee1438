// How many a list of payments or operations has: counted only where somebody asks.
import { FieldResolver, Resolver, Root } from 'type-graphql';
import { TotalCountType } from '../../shared/graph/page.type';
import type { Connection, TotalCount } from '../../shared/store/page';
import type { Operation } from '../operations/operation';
import { OperationConnectionType } from '../operations/operation.type';
import type { Payment } from './payment';
import { PaymentConnectionType } from './payment.type';

@Resolver(() => PaymentConnectionType)
export class PaymentCountResolver {
  @FieldResolver(() => TotalCountType, { description: 'How many payments the list has, counted when it is asked for.' })
  totalCount(@Root() list: Connection<Payment>): Promise<TotalCount> {
    return countOf(list);
  }
}

@Resolver(() => OperationConnectionType)
export class OperationCountResolver {
  @FieldResolver(() => TotalCountType, {
    description: 'How many operations the list has, counted when it is asked for.',
  })
  totalCount(@Root() list: Connection<Operation>): Promise<TotalCount> {
    return countOf(list);
  }
}

function countOf({ count }: Connection<unknown>): Promise<TotalCount> {
  if (!count) throw new Error('a list came without its count');
  return count();
}
