// The graph's view of clients, their keys and limits, and of the audit trail. No secret is a field of anything but the answer that shows it once.
import { Directive, Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import { constantName, graphEnum } from '../../shared/graph/graph-enum';
import { NodeType } from '../../shared/graph/node.type';
import { ConnectionFields } from '../../shared/graph/page.type';
import { clientFamilies, clientStatuses } from './client';
import { encryptionKeyStatuses } from './encryption-key';

export const ClientFamilies = graphEnum(clientFamilies, {
  name: 'ClientFamily',
  description: 'The interface that a client is made for.',
  values: {
    tokenization: 'Tokenizes cards for token requestors.',
    graph: 'Asks this graph.',
    payments: 'Creates payments and acts on them for one merchant.',
  },
  nameOf: constantName,
});

export const ClientStatuses = graphEnum(clientStatuses, {
  name: 'ClientStatus',
  description: 'Whether a client may get access tokens.',
  values: {
    ACTIVE: 'It gets access tokens for its id and secret.',
    DISABLED: 'It gets none, and those it had are ended.',
  },
});

export const EncryptionKeyStatuses = graphEnum(encryptionKeyStatuses, {
  name: 'EncryptionKeyStatus',
  description: "Whether results are sealed to a client's key.",
  values: {
    ACTIVE: 'Results may be sealed to it.',
    RETIRED: 'Nothing is sealed to it any more.',
  },
});

@ObjectType('ClientIdentifiers', {
  simpleResolvers: true,
  description: 'A triple of acquirer, provider and PSP that a client speaks for.',
})
export class ClientIdentifiersType {
  @Field(() => String, { description: "The acquirer's id in the triple of acquirer, provider and PSP." })
  acquirerId!: string;
  @Field(() => String, { description: "The provider's id in the triple of acquirer, provider and PSP." })
  providerId!: string;
  @Field(() => String, { description: "The PSP's id in the triple of acquirer, provider and PSP." }) pspId!: string;
}

@ObjectType('EncryptionKey', {
  simpleResolvers: true,
  description: 'A public key of a client, to which its results are sealed.',
})
export class EncryptionKeyType {
  @Field(() => String, { description: 'The id of the key, named in the header of what is sealed to it.' })
  kid!: string;
  @Field(() => Int, { description: 'The length of the key, in bits.' }) bits!: number;
  @Field(() => EncryptionKeyStatuses, { description: 'Whether results are sealed to it.' })
  status!: 'ACTIVE' | 'RETIRED';
  @Field(() => Date, { description: 'When it was made, UTC.' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'When it was retired, UTC; null while it is in use.' })
  retiredAt!: Date | null;
}

@ObjectType('ClientSecret', {
  simpleResolvers: true,
  description: 'That a secret exists, and until when; never the secret.',
})
export class ClientSecretType {
  @Field(() => Date, { description: 'When the secret was made, UTC.' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'Null for the newest; set when it was rotated.' })
  expiresAt!: Date | null;
}

@ObjectType('RateLimit', { simpleResolvers: true, description: 'A limit as it is in force in this environment.' })
export class RateLimitType {
  @Field(() => String, { description: 'What is limited, for example all calls of a client.' }) name!: string;
  @Field(() => Float, { description: 'How many calls a second are let through in the long run.' }) perSecond!: number;
  @Field(() => Int, { description: 'How many calls at once are let through after a pause.' }) burst!: number;
}

@ObjectType('Client', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'A program that calls with client id and secret.',
})
@Directive('@key(fields: "clientId")')
export class ClientType {
  @Field(() => ID, { description: 'Id of the API client, as it is sent for an access token.' }) clientId!: string;
  @Field(() => ID, { nullable: true, description: 'Null for staff, who see every account.' })
  accountId!: string | null;
  @Field(() => ClientFamilies, { description: 'Which interface it calls.' }) family!: string;
  @Field(() => String, { description: 'What people call the client.' }) label!: string;
  @Field(() => ClientStatuses, { description: 'Whether it may get access tokens.' }) status!: string;
  @Field(() => [String], { description: 'What its access tokens may do.' }) scopes!: string[];
  @Field(() => [ClientIdentifiersType], {
    description: 'The triples of acquirer, provider and PSP that it may speak for.',
  })
  identifiers!: ClientIdentifiersType[];
  @Field(() => ID, { nullable: true, description: 'The merchant that a payments client acts for.' })
  merchantId!: string | null;
  @Field(() => [ClientSecretType], { description: 'Newest first, two at most.' }) secrets!: ClientSecretType[];
  @Field(() => [EncryptionKeyType], { description: 'Newest first; results are sealed to the first active one.' })
  encryptionKeys!: EncryptionKeyType[];
  @Field(() => Date, { description: 'When it was made, UTC.' }) createdAt!: Date;
  @Field(() => Date, { description: 'When it was last changed, UTC.' }) updatedAt!: Date;
}

@ObjectType('ClientWithSecret', { simpleResolvers: true, description: 'The secret is shown this once.' })
export class ClientWithSecretType {
  @Field(() => ClientType, { description: 'The client that the secret belongs to.' }) client!: ClientType;
  @Field(() => String, { description: 'The new secret; it cannot be read again.' }) clientSecret!: string;
}

@ObjectType('ClientEdge', { simpleResolvers: true, description: 'One API client in a list, with its cursor.' })
export class ClientEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => ClientType, { description: 'The item itself, at this place of the list.' }) node!: ClientType;
}

@ObjectType('ClientConnection', { simpleResolvers: true, description: 'One page of API clients.' })
export class ClientConnectionType extends ConnectionFields {
  @Field(() => [ClientEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: ClientEdgeType[];
}

@ObjectType('AuditedField', { simpleResolvers: true, description: 'One value that a change replaced.' })
export class AuditedFieldType {
  @Field(() => String, { description: 'Name of the value that changed.' }) field!: string;
  @Field(() => String, { nullable: true, description: 'The value before, as text; null when there was none.' })
  from!: string | null;
  @Field(() => String, { nullable: true, description: 'The value after, as text; null when there is none any more.' })
  to!: string | null;
}

@ObjectType('AuditRecord', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'Who did what: a change, a login, a refusal, or a look at unmasked data.',
})
@Directive('@key(fields: "auditId")')
export class AuditRecordType {
  @Field(() => ID, { description: 'Id of this record of the audit.' }) auditId!: string;
  @Field(() => Date, { description: 'When it was done, UTC.' }) at!: Date;
  @Field(() => String, { description: 'The credential that the caller was known by.' }) actor!: string;
  @Field(() => String, { nullable: true, description: 'Who the caller says it is, where the call asks for that.' })
  claimedActor?: string | null;
  @Field(() => String, { description: 'What was done, for example merchant.updated.' }) action!: string;
  @Field(() => String, { description: 'What kind of thing it was done to, for example merchant.' })
  subjectType!: string;
  @Field(() => ID, { description: 'Id of the thing it was done to.' }) subjectId!: string;
  @Field(() => ID, {
    nullable: true,
    description: 'The tenant that the thing belongs to; null for what belongs to none.',
  })
  accountId!: string | null;
  @Field(() => String, { description: 'The X-Request-ID of the call that did it.' }) requestId!: string;
  @Field(() => String, {
    nullable: true,
    description:
      'The address that the call came from, behind proxies of ours; null for our own workers, and for a tenant where it was none of its own people and programs.',
  })
  address?: string | null;
  @Field(() => Int, { description: 'How many of the kind it stands for: refusals of one minute share a record.' })
  count!: number;
  @Field(() => [AuditedFieldType], {
    description: 'The values that changed; empty when the action is no change of values.',
  })
  changes!: AuditedFieldType[];
}

@ObjectType('AuditRecordEdge', {
  simpleResolvers: true,
  description: 'One record of the audit in a list, with its cursor.',
})
export class AuditRecordEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => AuditRecordType, { description: 'The item itself, at this place of the list.' })
  node!: AuditRecordType;
}

@ObjectType('AuditRecordConnection', { simpleResolvers: true, description: 'One page of the audit.' })
export class AuditRecordConnectionType extends ConnectionFields {
  @Field(() => [AuditRecordEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: AuditRecordEdgeType[];
}

@InputType('ClientIdentifiersInput', {
  description: 'A triple of acquirer, provider and PSP that a client is to speak for.',
})
export class ClientIdentifiersInput {
  @Field(() => String, { description: "The acquirer's id in the triple of acquirer, provider and PSP." })
  acquirerId!: string;
  @Field(() => String, { description: "The provider's id in the triple of acquirer, provider and PSP." })
  providerId!: string;
  @Field(() => String, { description: "The PSP's id in the triple of acquirer, provider and PSP." }) pspId!: string;
}

@InputType('CreateClientInput', { description: 'A new API client.' })
export class CreateClientInput {
  @Field(() => ClientFamilies, { description: 'Which interface it will call.' })
  family!: 'tokenization' | 'graph' | 'payments';
  @Field(() => ID, { nullable: true, description: 'The tenant that the client belongs to; absent for staff.' })
  accountId?: string | null;
  @Field(() => String, { description: 'What people will call it.' }) label!: string;
  @Field(() => [String], {
    nullable: true,
    description: 'What its access tokens may do; absent: the usual ones of its family.',
  })
  scopes?: string[] | null;
  @Field(() => [ClientIdentifiersInput], {
    nullable: true,
    description: 'The triples of acquirer, provider and PSP that it may speak for; needed for TOKENIZATION.',
  })
  identifiers?: ClientIdentifiersInput[] | null;
  @Field(() => ID, { nullable: true, description: 'Of the family payments: the merchant that it acts for.' })
  merchantId?: string | null;
}

@InputType('RecipientJwkInput', { description: 'An RSA public key, RFC 7517; 2048 bits or more.' })
export class RecipientJwkInput {
  @Field(() => String, { description: 'The kind of key of RFC 7517: always RSA.' }) kty!: string;
  @Field(() => String, { description: 'The id of the key, named in the header of what is sealed to it.' })
  kid!: string;
  @Field(() => String, { description: 'What the key is for in the words of RFC 7517: enc, for sealing.' })
  use!: string;
  @Field(() => String, {
    nullable: true,
    description: 'The algorithm that results are sealed with; absent: RSA-OAEP-256.',
  })
  alg?: string | null;
  @Field(() => String, { description: 'The modulus of the RSA key, Base64URL.' }) n!: string;
  @Field(() => String, { description: 'The exponent of the RSA key, Base64URL.' }) e!: string;
}
