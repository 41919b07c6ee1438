// What a search finds, as the graph shows it: the thing itself, of whichever kind, and what of it the text was.
import { createUnionType, Directive, Field, ID, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import { ProposalStub } from '../../shared/graph/proposal.type';
import { type SearchedType, type SearchMatch, searchMatches } from '../../shared/search';
import { LedgerEntryType } from '../journal/entry.type';
import type { JournalEntry } from '../journal/journal';
import type { Payout } from '../payouts/payout';
import { PayoutMerchant, PayoutOperation, PayoutPayment, PayoutType } from '../payouts/payout.type';

export const SearchMatches = graphEnum(searchMatches, {
  name: 'SearchMatch',
  description: 'What of a thing the searched text is.',
  values: {
    ID: 'Its id, as it is given as an argument.',
    NUMBER: "The merchant's number.",
    ORGANIZATION: 'The number of its organization in the register of its country.',
    REFERENCE: 'Its reference on bank statements.',
    ORDER: "The merchant's number of the order, the payment service's paymentNumber too.",
    ORDER_BEGINNING: 'The beginning of such a number, four characters at least; to staff only.',
    CONTRACT: 'The stored consent that it was made with or for.',
    CARD: 'The last four digits and the expiry of the card that it was paid with.',
    EMAIL: "The payer's e-mail, as the shop gave it, or that of a person.",
    EVENT: 'The id of the event that it tells.',
    MERCHANT: 'The merchantId that it holds.',
    ORIGIN: 'An address where it is, its origin or its host.',
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

@ObjectType('CallbackEndpoint', { simpleResolvers: true })
@Directive('@key(fields: "endpointId", resolvable: false)')
export class FoundEndpoint {
  @Field(() => ID) endpointId!: string;
}

@ObjectType('Terminal', { simpleResolvers: true })
@Directive('@key(fields: "terminalId", resolvable: false)')
export class FoundTerminal {
  @Field(() => ID) terminalId!: string;
}

@ObjectType('Job', { simpleResolvers: true })
@Directive('@key(fields: "jobId", resolvable: false)')
export class FoundJob {
  @Field(() => ID) jobId!: string;
}

@ObjectType('Person', { simpleResolvers: true })
@Directive('@key(fields: "personId", resolvable: false)')
export class FoundPerson {
  @Field(() => ID) personId!: string;
}

/** Told apart by their class: a function that tells the type is asked asynchronously, and compiled queries do not wait. */
const classes = {
  Payment: PayoutPayment,
  Operation: PayoutOperation,
  Merchant: PayoutMerchant,
  Terminal: FoundTerminal,
  VirtualAccount: FoundVirtualAccount,
  OnboardingApplication: FoundApplication,
  Callback: FoundCallback,
  CallbackEndpoint: FoundEndpoint,
  Payout: PayoutType,
  LedgerEntry: LedgerEntryType,
  Proposal: ProposalStub,
  Job: FoundJob,
  Person: FoundPerson,
} as const satisfies Record<SearchedType, new () => object>;

/** What this subgraph has itself. */
type OwnType = 'Payout' | 'LedgerEntry';

const keys: Record<Exclude<SearchedType, OwnType>, string> = {
  Payment: 'paymentId',
  Operation: 'operationId',
  Merchant: 'merchantId',
  Terminal: 'terminalId',
  VirtualAccount: 'virtualAccountId',
  OnboardingApplication: 'id',
  Callback: 'callbackId',
  CallbackEndpoint: 'endpointId',
  Proposal: 'proposalId',
  Job: 'jobId',
  Person: 'personId',
};

/** The thing as the subgraph that owns it is asked for it. */
export function foundOf({ type, id }: { type: keyof typeof keys; id: string }): object {
  return Object.assign(new classes[type](), { [keys[type]]: id });
}

/** The thing itself; null when it is gone. */
export function ownOf(type: OwnType, thing: Payout | JournalEntry | null): object | null {
  return thing && Object.assign(new classes[type](), thing);
}

export const SearchResult = createUnionType({
  name: 'SearchResult',
  description: 'Whatever can be searched for.',
  types: () => Object.values(classes),
});

@ObjectType('SearchHit', { simpleResolvers: true, description: 'One thing that was found.' })
export class SearchHitType {
  @Field(() => SearchMatches, { description: 'What of it the text is.' }) matchedBy!: SearchMatch;
  @Field(() => SearchResult, { description: 'The thing itself: select what you need of each kind.' })
  found!: object;
}
