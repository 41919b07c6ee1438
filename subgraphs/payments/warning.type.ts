// A warning beside an answer, as family B prints it (document 2 B, Field set).
import { Field, ObjectType } from 'type-graphql';
import type { Warning } from './operation';

@ObjectType('Warning', { simpleResolvers: true })
export class WarningType implements Warning {
  @Field(() => String) code!: string;
  @Field(() => String) description!: string;
}
