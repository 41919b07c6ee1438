// Accounts as the graph lists and takes them.
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { ConnectionFields } from '../../shared/graph/page.type';
import { AccountType } from '../merchant.type';

@ObjectType('AccountEdge', { simpleResolvers: true, description: 'One account in a list, with its place there.' })
export class AccountEdgeType {
  @Field(() => String, { description: 'Place in the list; `after` goes on behind it.' }) cursor!: string;
  @Field(() => AccountType, { description: 'The item itself, at this place of the list.' }) node!: AccountType;
}

@ObjectType('AccountConnection', { simpleResolvers: true, description: 'One page of a list of accounts.' })
export class AccountConnectionType extends ConnectionFields {
  @Field(() => [AccountEdgeType], { description: 'The accounts of this page.' }) edges!: AccountEdgeType[];
}

@InputType({ description: 'A new account (tenant).' })
export class CreateAccountInput {
  @Field(() => ID, { description: '1 to 35 lower-case letters, digits and hyphens; chosen by staff, never changed.' })
  accountId!: string;
  @Field(() => String, { description: 'Name for people, 1 to 100 characters.' }) name!: string;
}
