// The graph's view of clients, their keys and limits, and of the audit trail. No secret is a field of anything but the answer that shows it once.
import { Directive, Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { NodeType } from '../shared/node.type';
import { PageInfoType } from '../shared/page.type';

export const ClientFamilies = { TOKENIZATION: 'tokenization', GRAPH: 'graph', PAYMENTS: 'payments' } as const;
registerEnumType(ClientFamilies, { name: 'ClientFamily' });

export const ClientStatuses = { ACTIVE: 'ACTIVE', DISABLED: 'DISABLED' } as const;
registerEnumType(ClientStatuses, { name: 'ClientStatus' });

export const EncryptionKeyStatuses = { ACTIVE: 'ACTIVE', RETIRED: 'RETIRED' } as const;
registerEnumType(EncryptionKeyStatuses, { name: 'EncryptionKeyStatus' });

@ObjectType('ClientIdentifiers', { simpleResolvers: true })
export class ClientIdentifiersType {
  @Field(() => String) acquirerId!: string;
  @Field(() => String) providerId!: string;
  @Field(() => String) pspId!: string;
}

@ObjectType('EncryptionKey', { simpleResolvers: true })
export class EncryptionKeyType {
  @Field(() => String) kid!: string;
  @Field(() => Int) bits!: number;
  @Field(() => EncryptionKeyStatuses) status!: 'ACTIVE' | 'RETIRED';
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date, { nullable: true }) retiredAt!: Date | null;
}

@ObjectType('ClientSecret', {
  simpleResolvers: true,
  description: 'That a secret exists, and until when; never the secret.',
})
export class ClientSecretType {
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'Null for the newest; set when it was rotated.' })
  expiresAt!: Date | null;
}

@ObjectType('RateLimit', { simpleResolvers: true, description: 'A limit as it is in force in this environment.' })
export class RateLimitType {
  @Field(() => String) name!: string;
  @Field(() => Float) perSecond!: number;
  @Field(() => Int) burst!: number;
}

@ObjectType('Client', { implements: NodeType, simpleResolvers: true })
@Directive('@key(fields: "clientId")')
export class ClientType {
  @Field(() => ID) clientId!: string;
  @Field(() => ID, { nullable: true, description: 'Null for staff, who see every account.' }) accountId!: string | null;
  @Field(() => ClientFamilies) family!: string;
  @Field(() => String) label!: string;
  @Field(() => ClientStatuses) status!: string;
  @Field(() => [String]) scopes!: string[];
  @Field(() => [ClientIdentifiersType]) identifiers!: ClientIdentifiersType[];
  @Field(() => ID, { nullable: true, description: 'The merchant that a payments client acts for.' })
  merchantId!: string | null;
  @Field(() => [ClientSecretType], { description: 'Newest first, two at most.' }) secrets!: ClientSecretType[];
  @Field(() => [EncryptionKeyType], { description: 'Newest first; results are sealed to the first active one.' })
  encryptionKeys!: EncryptionKeyType[];
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date) updatedAt!: Date;
}

@ObjectType('ClientWithSecret', { simpleResolvers: true, description: 'The secret is shown this once.' })
export class ClientWithSecretType {
  @Field(() => ClientType) client!: ClientType;
  @Field(() => String) clientSecret!: string;
}

@ObjectType('ClientEdge', { simpleResolvers: true })
export class ClientEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => ClientType) node!: ClientType;
}

@ObjectType('ClientConnection', { simpleResolvers: true })
export class ClientConnectionType {
  @Field(() => [ClientEdgeType]) edges!: ClientEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}

@ObjectType('AuditedField', { simpleResolvers: true })
export class AuditedFieldType {
  @Field(() => String) field!: string;
  @Field(() => String, { nullable: true }) from!: string | null;
  @Field(() => String, { nullable: true }) to!: string | null;
}

@ObjectType('AuditRecord', { simpleResolvers: true, description: 'Who changed what, from what, to what.' })
export class AuditRecordType {
  @Field(() => ID) auditId!: string;
  @Field(() => Date) at!: Date;
  @Field(() => String, { description: 'The credential that the caller was known by.' }) actor!: string;
  @Field(() => String, { nullable: true, description: 'Who the caller says it is, where the call asks for that.' })
  claimedActor?: string | null;
  @Field(() => String) action!: string;
  @Field(() => String) subjectType!: string;
  @Field(() => ID) subjectId!: string;
  @Field(() => ID, { nullable: true }) accountId!: string | null;
  @Field(() => String) requestId!: string;
  @Field(() => [AuditedFieldType]) changes!: AuditedFieldType[];
}

@ObjectType('AuditRecordEdge', { simpleResolvers: true })
export class AuditRecordEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => AuditRecordType) node!: AuditRecordType;
}

@ObjectType('AuditRecordConnection', { simpleResolvers: true })
export class AuditRecordConnectionType {
  @Field(() => [AuditRecordEdgeType]) edges!: AuditRecordEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}

@InputType('ClientIdentifiersInput')
export class ClientIdentifiersInput {
  @Field(() => String) acquirerId!: string;
  @Field(() => String) providerId!: string;
  @Field(() => String) pspId!: string;
}

@InputType('CreateClientInput')
export class CreateClientInput {
  @Field(() => ClientFamilies) family!: 'tokenization' | 'graph' | 'payments';
  @Field(() => ID, { nullable: true, description: 'Absent only for graph clients of staff.' }) accountId?:
    | string
    | null;
  @Field(() => String) label!: string;
  @Field(() => [String], {
    nullable: true,
    description:
      'Absent: everything of the family; of the graph, graph:read. Rights of staff are never granted to a client of an account.',
  })
  scopes?: string[] | null;
  @Field(() => [ClientIdentifiersInput], { nullable: true }) identifiers?: ClientIdentifiersInput[] | null;
  @Field(() => ID, { nullable: true, description: 'Of the family payments: the merchant that it acts for.' })
  merchantId?: string | null;
}

@InputType('RecipientJwkInput', { description: 'An RSA public key, RFC 7517; 2048 bits or more.' })
export class RecipientJwkInput {
  @Field(() => String) kty!: string;
  @Field(() => String) kid!: string;
  @Field(() => String) use!: string;
  @Field(() => String, { nullable: true }) alg?: string | null;
  @Field(() => String) n!: string;
  @Field(() => String) e!: string;
}
