// A warning beside an answer, as family B prints it (hosted checkout, Field set).
import { Field, ObjectType } from 'type-graphql';
import type { Warning } from '../operations/operation';

@ObjectType('Warning', {
  simpleResolvers: true,
  description: 'Something noticed about a request that did not stop it.',
})
export class WarningType implements Warning {
  @Field(() => String, { description: 'The short word that programs know it by.' }) code!: string;
  @Field(() => String, { description: 'What was noticed, in words.' }) description!: string;
}
