// The graph's view of API keys: that one exists and for whom; its secret is a field of the one answer that shows it.
import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { constantName, graphEnum } from '../../shared/graph/graph-enum';
import { ConnectionFields } from '../../shared/graph/page.type';
import { type ApiKeyKind, type ApiKeyMode, apiKeyKinds, apiKeyModes, apiKeyStatuses } from './api-key';

export const ApiKeyStatuses = graphEnum(apiKeyStatuses, {
  name: 'ApiKeyStatus',
  description: 'Whether an API key works.',
  values: {
    ACTIVE: 'The key is accepted.',
    REVOKED: 'The key was ended for good and is refused everywhere.',
  },
});

export const ApiKeyKinds = graphEnum(apiKeyKinds, {
  name: 'ApiKeyKind',
  description:
    'CHECKOUT: X-API-KEY of a terminal. CONSUMER: key and secret of administration. PARTNER: secret key for onboarding and reporting. MERCHANT: secret key for reporting.',
  values: {
    checkout: 'Belongs to a terminal and moves money: sent as X-API-KEY.',
    consumer: 'Belongs to an account: a key and a secret for the administration interface.',
    partner: 'Belongs to an account: a secret key for onboarding and reporting.',
    merchant: 'Belongs to a merchant: a secret key for reporting.',
  },
  nameOf: constantName,
});

export const ApiKeyModes = graphEnum(apiKeyModes, {
  name: 'ApiKeyMode',
  description: 'LIVE_TEST: for tests where the real thing runs; its keyId, which stands in each audit record, says so.',
  values: {
    live: 'An ordinary key of this environment.',
    'live-test': 'A key for tests against the real thing; its visible half says so in every audit record.',
  },
  nameOf: constantName,
});

@ObjectType('ApiKey', { simpleResolvers: true, description: 'A key of a terminal, a merchant or an account.' })
export class ApiKeyType {
  @Field(() => ID, { description: 'The visible first half.' }) keyId!: string;
  @Field(() => ApiKeyKinds, { description: 'What the key may be used for, and how it is sent.' }) kind!: ApiKeyKind;
  @Field(() => ApiKeyModes, { description: 'Whether the key moves real things or is one for tests.' })
  mode!: ApiKeyMode;
  @Field(() => ID, { nullable: true, description: 'Of a CHECKOUT key.' }) terminalId!: string | null;
  @Field(() => ID, { nullable: true, description: 'null: the key speaks for the whole account.' })
  merchantId!: string | null;
  @Field(() => String, { description: 'What people call the key.' }) label!: string;
  @Field(() => ApiKeyStatuses, { description: 'Whether the key still works.' }) status!: string;
  @Field(() => Date, { description: 'When it was made, UTC.' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'When it was revoked, UTC; null while it works.' })
  revokedAt!: Date | null;
}

@ObjectType('IssuedApiKey', { simpleResolvers: true, description: 'The key is shown this once.' })
export class IssuedApiKeyType {
  @Field(() => ID, { description: 'The visible first half of the key, by which it is listed and revoked.' })
  keyId!: string;
  @Field(() => String, {
    nullable: true,
    description: 'CHECKOUT: the value of X-API-KEY. PARTNER and MERCHANT: the value of Authorization.',
  })
  apiKey!: string | null;
  @Field(() => String, { nullable: true, description: 'CONSUMER: sent as Authorization: Bearer Base64(key:secret).' })
  consumerKey!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'CONSUMER: the secret half, which cannot be read again; null for other kinds.',
  })
  consumerSecret!: string | null;
  @Field(() => ApiKeyType, { description: 'The key as it is listed from now on.' }) key!: ApiKeyType;
}

@ObjectType('ApiKeyEdge', { simpleResolvers: true, description: 'One API key in a list, with its cursor.' })
export class ApiKeyEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => ApiKeyType, { description: 'The item itself, at this place of the list.' }) node!: ApiKeyType;
}

@ObjectType('ApiKeyConnection', { simpleResolvers: true, description: 'One page of API keys.' })
export class ApiKeyConnectionType extends ConnectionFields {
  @Field(() => [ApiKeyEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: ApiKeyEdgeType[];
}

@ObjectType('Merchant', { simpleResolvers: true })
@Directive('@key(fields: "merchantId")')
export class AccessMerchant {
  @Field(() => ID) merchantId!: string;
}
