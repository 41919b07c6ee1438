// The graph's view of API keys: that one exists and for whom; its secret is a field of the one answer that shows it.
import { Directive, Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { PageInfoType } from '../shared/page.type';

export const ApiKeyStatuses = { ACTIVE: 'ACTIVE', REVOKED: 'REVOKED' } as const;
registerEnumType(ApiKeyStatuses, { name: 'ApiKeyStatus' });

/** Names of the graph, and what they are inside. */
export const kindOfName = {
  CHECKOUT: 'checkout',
  CONSUMER: 'consumer',
  PARTNER: 'partner',
  MERCHANT: 'merchant',
} as const;
export type KindName = keyof typeof kindOfName;
export const ApiKeyKinds = namesOf(kindOfName);
registerEnumType(ApiKeyKinds, {
  name: 'ApiKeyKind',
  description:
    'CHECKOUT: X-API-KEY of a terminal. CONSUMER: key and secret of administration. PARTNER: secret key for onboarding and reporting. MERCHANT: secret key for reporting.',
});

export const modeOfName = { LIVE: 'live', LIVE_TEST: 'live-test' } as const;
export type ModeName = keyof typeof modeOfName;
export const ApiKeyModes = namesOf(modeOfName);
registerEnumType(ApiKeyModes, {
  name: 'ApiKeyMode',
  description: 'LIVE_TEST: for tests where the real thing runs; its keyId, which stands in each audit record, says so.',
});

@ObjectType('ApiKey', { simpleResolvers: true, description: 'A key of a terminal, a merchant or an account.' })
export class ApiKeyType {
  @Field(() => ID, { description: 'The visible first half.' }) keyId!: string;
  @Field(() => ApiKeyKinds) kind!: KindName;
  @Field(() => ApiKeyModes) mode!: ModeName;
  @Field(() => ID, { nullable: true, description: 'Of a CHECKOUT key.' }) terminalId!: string | null;
  @Field(() => ID, { nullable: true, description: 'null: the key speaks for the whole account.' })
  merchantId!: string | null;
  @Field(() => String) label!: string;
  @Field(() => ApiKeyStatuses) status!: string;
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date, { nullable: true }) revokedAt!: Date | null;
}

@ObjectType('IssuedApiKey', { simpleResolvers: true, description: 'The key is shown this once.' })
export class IssuedApiKeyType {
  @Field(() => ID) keyId!: string;
  @Field(() => String, {
    nullable: true,
    description: 'CHECKOUT: the value of X-API-KEY. PARTNER and MERCHANT: the value of Authorization.',
  })
  apiKey!: string | null;
  @Field(() => String, { nullable: true, description: 'CONSUMER: sent as Authorization: Bearer Base64(key:secret).' })
  consumerKey!: string | null;
  @Field(() => String, { nullable: true }) consumerSecret!: string | null;
  @Field(() => ApiKeyType) key!: ApiKeyType;
}

@ObjectType('ApiKeyEdge', { simpleResolvers: true })
export class ApiKeyEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => ApiKeyType) node!: ApiKeyType;
}

@ObjectType('ApiKeyConnection', { simpleResolvers: true })
export class ApiKeyConnectionType {
  @Field(() => [ApiKeyEdgeType]) edges!: ApiKeyEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}

@ObjectType('Merchant', { simpleResolvers: true })
@Directive('@key(fields: "merchantId")')
export class MerchantStub {
  @Field(() => ID) merchantId!: string;
}

/** An enumeration of the graph, whose values are their own names. */
function namesOf<Name extends string>(values: Readonly<Record<Name, string>>): Record<Name, Name> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, name])) as Record<Name, Name>;
}
