// How the graph is asked for records of the audit.
import { Field, ID, InputType } from 'type-graphql';

@InputType('AuditFilter', { description: 'Everything given must hold.' })
export class AuditFilterInput {
  @Field(() => ID, { nullable: true, description: 'Records of what this credential did only.' }) actor?: string | null;
  @Field(() => String, { nullable: true, description: 'Records of this act only, for example `payment.refunded`.' })
  action?: string | null;
  @Field(() => [ID], { nullable: true, description: 'Records of what any of these credentials did; 20 at most.' })
  actors?: string[] | null;
  @Field(() => [String], { nullable: true, description: 'Records of any of these acts; 20 at most.' })
  actions?: string[] | null;
  @Field(() => Date, { nullable: true, description: 'Done then or later, UTC.' }) from?: Date | null;
  @Field(() => Date, { nullable: true, description: 'Done then or earlier, UTC.' }) to?: Date | null;
}
