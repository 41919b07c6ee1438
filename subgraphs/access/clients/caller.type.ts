// Who holds an access token, as a gateway that has no database of its own states it when it signs its calls.
import { Field, ID, ObjectType } from 'type-graphql';
import type { Environment, TokenizationIdentifiers } from '../../shared/callers/caller';
import { ClientIdentifiersType } from './client.type';

@ObjectType('TokenHolder', {
  description: 'The client that an access token belongs to, as calls to subgraphs name it.',
})
export class TokenHolderType {
  @Field(() => String, { description: 'What callers of its sort are called in signed calls: `client`.' }) kind!: string;
  @Field(() => ID, { description: 'Id of the client.' }) credentialId!: string;
  @Field(() => String, { description: '`sandbox` or `production`.' }) environment!: Environment;
  @Field(() => ID, { nullable: true, description: 'The tenant whose client it is; null: staff.' })
  accountId!: string | null;
  @Field(() => [String], { description: 'What it may do by this token.' }) scopes!: readonly string[];
  @Field(() => ID, { nullable: true, description: 'The one merchant that it acts for.' }) merchantId?: string;
  @Field(() => [ClientIdentifiersType], { description: 'The triples that it speaks for.' })
  identifiers!: readonly TokenizationIdentifiers[];
  @Field(() => String, { description: 'SHA-256 of the token, base64url.' }) accessTokenHash!: string;
  @Field(() => Date, { description: 'When the token ends.' }) expiresAt!: Date;
}
