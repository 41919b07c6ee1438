// Pages of lists in the graph as Relay has them, and how many a list has: types that every subgraph with a list shares.
import { ArgsType, Directive, Field, Int, ObjectType } from 'type-graphql';
import type { TotalCount } from '../lists/page';

/** Of whatever is a list. */
export const firstArgument = { nullable: true, description: 'How many items at most: 1 to 100, and 20 when absent.' };

/** The arguments of every list. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, firstArgument)
  first?: number | null;
  @Field(() => String, {
    nullable: true,
    description: 'A `cursor` or `endCursor` of an earlier page: what follows it is wanted; absent: from the start.',
  })
  after?: string | null;
  @Field(() => Int, {
    nullable: true,
    description: 'How many items from the end, or before `before`, at most: 1 to 100; not beside `first`.',
  })
  last?: number | null;
  @Field(() => String, {
    nullable: true,
    description: 'A `cursor` or `startCursor` of another page: what comes before it is wanted; not beside `after`.',
  })
  before?: string | null;
}

@ObjectType('TotalCount', { simpleResolvers: true, description: 'How many items a list has, as far as is counted.' })
@Directive('@shareable')
export class TotalCountType {
  @Field(() => Int, { description: 'How many; when it is not exact, at least so many.' }) value!: number;
  @Field(() => Boolean, { description: 'Whether it is exact, and not the bound where counting stops.' })
  isExact!: boolean;
}

@ObjectType('PageInfo', { simpleResolvers: true, description: 'Where a page of a list stands.' })
@Directive('@shareable')
export class PageInfoType {
  @Field(() => Boolean, { description: 'More comes after `endCursor`, what `before` named too.' })
  hasNextPage!: boolean;
  @Field(() => Boolean, {
    description: 'Something stands before the page: what `after` named, or more of what was asked for with `last`.',
  })
  hasPreviousPage!: boolean;
  @Field(() => String, { nullable: true, description: 'Of the first edge; null when there is none.' })
  startCursor!: string | null;
  @Field(() => String, { nullable: true, description: 'Of the last edge: `after` of the next page.' })
  endCursor!: string | null;
}

/** What every page of a list tells, beside its `edges`: the types of pages extend it. */
@ObjectType('Connection', { simpleResolvers: true })
export abstract class ConnectionFields {
  @Field(() => PageInfoType, { description: 'Whether the list goes on, and from where to ask for the rest.' })
  pageInfo!: PageInfoType;

  count!: () => Promise<TotalCount>;

  @Field(() => TotalCountType, {
    description: 'How many the list has, on all its pages; counted up to a thousand when it is asked for.',
  })
  totalCount(): Promise<TotalCount> {
    return this.count();
  }
}
