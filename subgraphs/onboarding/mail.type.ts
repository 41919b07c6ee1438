// The graph's view of the sandbox's mail outbox.
import { Field, ID, ObjectType } from 'type-graphql';
import type { PortalLanguage } from './application';
import { PortalLanguages } from './application.type';

@ObjectType('SandboxMail', {
  simpleResolvers: true,
  description: 'A mail that would have been sent; only in the sandbox.',
})
export class SandboxMailType {
  @Field(() => ID) mailId!: string;
  @Field(() => Date, { description: 'On the one clock.' }) at!: Date;
  @Field(() => String) to!: string;
  @Field(() => PortalLanguages) language!: PortalLanguage;
  @Field(() => String) subject!: string;
  @Field(() => String) text!: string;
  @Field(() => String) html!: string;
  @Field(() => String, { description: 'The link that the mail carries.' }) link!: string;
}
