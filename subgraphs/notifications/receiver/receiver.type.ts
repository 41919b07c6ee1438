// The sandbox's built-in callback receiver in the graph (docs/sandbox.md, section 6).
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';

@ObjectType('ReceivedCallback', {
  simpleResolvers: true,
  description: "A callback as the sandbox's own receiver got it.",
})
export class ReceivedCallbackType {
  @Field(() => ID, { description: 'Id of what was received.' }) id!: string;
  @Field(() => Date, { description: 'When it came, UTC.' }) receivedAt!: Date;
  @Field(() => String, { description: 'The HTTP method that it came with, POST as a rule.' }) method!: string;
  @Field(() => String, { description: 'The path that it was sent to.' }) path!: string;
  @Field(() => String, { description: 'JSON object, names in the spelling received.' }) headers!: string;
  @Field(() => String, { description: 'The body as it came, text.' }) body!: string;
  @Field(() => Int, { description: 'What the receiver answered.' }) status!: number;
}

@ObjectType('ReceiverAnswer', { simpleResolvers: true, description: 'How the receiver answers a callback.' })
export class ReceiverAnswerType {
  @Field(() => Int, { description: 'The HTTP status to answer with.' }) status!: number;
  @Field(() => Int, { description: 'How long to wait before the answer, in milliseconds.' }) delayMs!: number;
}

@ObjectType('ReceiverFault', {
  simpleResolvers: true,
  description: "A fault of the sandbox's receiver that was ordered.",
})
export class ReceiverFaultType {
  @Field(() => Int, { nullable: true, description: 'The HTTP status to answer with; null: 200.' })
  status!: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'How long to wait before each answer, in milliseconds; null: not at all.',
  })
  delayMs!: number | null;
  @Field(() => Int, { nullable: true, description: 'How often the fault shows; null: until another is ordered.' })
  times!: number | null;
}

@InputType('ReceivedCallbackInput', { description: "A callback to hand to the sandbox's own receiver." })
export class ReceivedCallbackInput {
  @Field(() => String, { description: 'The HTTP method that it came with, POST as a rule.' }) method!: string;
  @Field(() => String, { description: 'The path that it was sent to.' }) path!: string;
  @Field(() => String, { description: 'A JSON object, names in the spelling received.' }) headers!: string;
  @Field(() => String, { description: 'The body as it came, text.' }) body!: string;
}
