// The sandbox's built-in callback receiver in the graph (docs/sandbox.md, section 6).
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';

@ObjectType('ReceivedCallback', { simpleResolvers: true })
export class ReceivedCallbackType {
  @Field(() => ID) id!: string;
  @Field(() => Date) receivedAt!: Date;
  @Field(() => String) method!: string;
  @Field(() => String) path!: string;
  @Field(() => String, { description: 'JSON object, names in the spelling received.' }) headers!: string;
  @Field(() => String) body!: string;
  @Field(() => Int, { description: 'What the receiver answered.' }) status!: number;
}

@ObjectType('ReceiverAnswer', { simpleResolvers: true })
export class ReceiverAnswerType {
  @Field(() => Int) status!: number;
  @Field(() => Int) delayMs!: number;
}

@ObjectType('ReceiverFault', { simpleResolvers: true })
export class ReceiverFaultType {
  @Field(() => Int, { nullable: true }) status!: number | null;
  @Field(() => Int, { nullable: true }) delayMs!: number | null;
  @Field(() => Int, { nullable: true }) times!: number | null;
}

@InputType('ReceivedCallbackInput')
export class ReceivedCallbackInput {
  @Field(() => String) method!: string;
  @Field(() => String) path!: string;
  @Field(() => String) headers!: string;
  @Field(() => String) body!: string;
}
