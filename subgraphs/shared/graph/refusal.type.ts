// A refusal as an answer: what a mutation would have thrown, one type of the graph that every subgraph shares.
import { Directive, Field, Int, ObjectType } from 'type-graphql';
import type { DomainErrorCode } from '../errors';
import { RefusalCodes } from './refusal-code.type';

@ObjectType('Refusal', {
  simpleResolvers: true,
  description: 'Why nothing was done: what the error of the mutation without `try` would have in its `extensions`.',
})
@Directive('@shareable')
export class RefusalType {
  @Field(() => RefusalCodes, { description: 'Of the closed list.' }) code!: DomainErrorCode;
  @Field(() => String, { description: 'The same in words, in English: what was found and what was expected.' })
  message!: string;
  @Field(() => String, { nullable: true, description: 'Dotted path of the argument at fault; null when none is.' })
  field!: string | null;
  @Field(() => Int, { nullable: true, description: 'When to try again, in seconds; null when that would not help.' })
  retryAfterSeconds!: number | null;
}
