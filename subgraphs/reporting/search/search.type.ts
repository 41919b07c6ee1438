// What a search finds, as the graph shows it: the thing itself, of whichever kind, and what of it the text was.
import { createUnionType, Directive, Field, ID, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import { type SearchedType, type SearchHit, type SearchMatch, searchMatches } from '../../shared/search';
import { PayoutMerchant, PayoutOperation, PayoutPayment } from '../payouts/payout.type';

export const SearchMatches = graphEnum(searchMatches, {
  name: 'SearchMatch',
  description: 'What of a thing the searched text is.',
  values: {
    ID: 'Its id, as it is given as an argument.',
    NUMBER: "The merchant's number.",
    ORDER: "The merchant's number of the order, the payment service's paymentNumber too.",
    CONTRACT: 'The stored consent that it was made with or for.',
    CARD: 'The last four digits and the expiry of the card that it was paid with.',
    EMAIL: "The payer's e-mail, as the shop gave it.",
    EVENT: 'The id of the event that it tells.',
    MERCHANT: 'The merchantId that it holds.',
    NAME: 'The beginning of its name, in whatever case.',
  },
});

@ObjectType('VirtualAccount', { simpleResolvers: true })
@Directive('@key(fields: "virtualAccountId", resolvable: false)')
export class FoundVirtualAccount {
  @Field(() => ID) virtualAccountId!: string;
}

@ObjectType('OnboardingApplication', { simpleResolvers: true })
@Directive('@key(fields: "id", resolvable: false)')
export class FoundApplication {
  @Field(() => ID) id!: string;
}

@ObjectType('Callback', { simpleResolvers: true })
@Directive('@key(fields: "callbackId", resolvable: false)')
export class FoundCallback {
  @Field(() => ID) callbackId!: string;
}

/** Told apart by their class: a function that tells the type is asked asynchronously, and compiled queries do not wait. */
const classes = {
  Payment: PayoutPayment,
  Operation: PayoutOperation,
  Merchant: PayoutMerchant,
  VirtualAccount: FoundVirtualAccount,
  OnboardingApplication: FoundApplication,
  Callback: FoundCallback,
} as const satisfies Record<SearchedType, new () => object>;

const keys: Record<SearchedType, string> = {
  Payment: 'paymentId',
  Operation: 'operationId',
  Merchant: 'merchantId',
  VirtualAccount: 'virtualAccountId',
  OnboardingApplication: 'id',
  Callback: 'callbackId',
};

/** The thing as the subgraph that owns it is asked for it. */
export function foundOf({ type, id }: SearchHit): object {
  return Object.assign(new classes[type](), { [keys[type]]: id });
}

export const SearchResult = createUnionType({
  name: 'SearchResult',
  description: 'Whatever can be searched for.',
  types: () =>
    [PayoutPayment, PayoutOperation, PayoutMerchant, FoundVirtualAccount, FoundApplication, FoundCallback] as const,
});

@ObjectType('SearchHit', { simpleResolvers: true, description: 'One thing that was found.' })
export class SearchHitType {
  @Field(() => SearchMatches, { description: 'What of it the text is.' }) matchedBy!: SearchMatch;
  @Field(() => SearchResult, { description: 'The thing itself: select what you need of each kind.' })
  found!: object;
}
