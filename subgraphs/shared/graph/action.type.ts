// Why an act is refused, one type of the graph that every subgraph with acts shares.
import { Directive, Field, ObjectType } from 'type-graphql';
import type { DomainErrorCode } from '../errors';
import { RefusalCodes } from './refusal-code.type';

@ObjectType('ActionReason', { simpleResolvers: true, description: 'The refusal that an act would meet now.' })
@Directive('@shareable')
export class ActionReasonType {
  @Field(() => RefusalCodes, { description: 'As `extensions.code` of the mutation would have it.' })
  code!: DomainErrorCode;
  @Field(() => String, { description: 'The same in words, in English.' }) message!: string;
}

/** Of the three fields that every act has. */
export const actDescriptions = {
  action: 'What is done.',
  allowed: 'Whether it would be done now, were it asked for by this caller.',
  reason: 'Why not; null when it is allowed.',
} as const;
