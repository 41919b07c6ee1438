// Relay's page information, one type of the graph that every subgraph with a list shares.
import { Directive, Field, ObjectType } from 'type-graphql';

@ObjectType('PageInfo', { simpleResolvers: true })
@Directive('@shareable')
export class PageInfoType {
  @Field(() => Boolean) hasNextPage!: boolean;
  @Field(() => String, { nullable: true }) endCursor!: string | null;
}
