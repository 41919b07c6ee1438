// The graph's view of the sandbox's mail outbox.
import { Field, ID, ObjectType } from 'type-graphql';
import type { PortalLanguage } from '../applications/application';
import { PortalLanguages } from '../applications/application.type';

@ObjectType('SandboxMail', {
  simpleResolvers: true,
  description: 'A mail that would have been sent; only in the sandbox.',
})
export class SandboxMailType {
  @Field(() => ID, { description: 'Number by which the sandbox keeps the mail.' }) mailId!: string;
  @Field(() => Date, { description: 'On the one clock.' }) at!: Date;
  @Field(() => String, { description: 'The address that it would have gone to.' }) to!: string;
  @Field(() => PortalLanguages, { description: 'The language that it is written in.' }) language!: PortalLanguage;
  @Field(() => String, { description: 'What its subject line says.' }) subject!: string;
  @Field(() => String, { description: 'The mail as plain text.' }) text!: string;
  @Field(() => String, { description: 'The mail as HTML.' }) html!: string;
  @Field(() => String, { description: 'The link that the mail carries.' }) link!: string;
}
