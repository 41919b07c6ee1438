// Relay's page information, one type of the graph that every subgraph with a list shares.
import { Directive, Field, ObjectType } from 'type-graphql';

/** The arguments of every list. */
export const firstArgument = { nullable: true, description: 'How many items at most: 1 to 100, and 20 when absent.' };
export const afterArgument = {
  nullable: true,
  description: 'A `cursor` or `endCursor` of an earlier page: what follows it is wanted; absent: from the start.',
};

@ObjectType('PageInfo', { simpleResolvers: true, description: 'Where a page of a list stands.' })
@Directive('@shareable')
export class PageInfoType {
  @Field(() => Boolean, { description: 'More comes after `endCursor`.' }) hasNextPage!: boolean;
  @Field(() => Boolean, {
    description: 'The page was asked for with `after`: what that cursor names stands before it.',
  })
  hasPreviousPage!: boolean;
  @Field(() => String, { nullable: true, description: 'Of the first edge; null when there is none.' })
  startCursor!: string | null;
  @Field(() => String, { nullable: true, description: 'Of the last edge: `after` of the next page.' })
  endCursor!: string | null;
}
