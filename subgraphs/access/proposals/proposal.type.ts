// The graph's view of acts that wait for a second person, or had one.
import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { proposalKinds } from '../../shared/callers/proposal';
import { graphEnum } from '../../shared/graph/graph-enum';
import { NodeType } from '../../shared/graph/node.type';
import { ConnectionFields } from '../../shared/graph/page.type';
import { AuditedFieldType } from '../clients/client.type';
import { proposalStatuses } from './proposal';

export const ProposalStatuses = graphEnum(proposalStatuses, {
  name: 'ProposalStatus',
  description: 'What became of a proposal.',
  values: {
    PENDING: 'It waits for a second person.',
    CONFIRMED: 'A second person confirmed it, and it was done.',
    REJECTED: 'Somebody ended it undone.',
    EXPIRED: 'Nobody confirmed it within 24 hours; it can only be proposed again.',
  },
});

export const ProposalKinds = graphEnum(proposalKinds, {
  name: 'ProposalKind',
  description: 'Acts that one person alone may not do.',
  values: {
    LEDGER_BOOKING: "A deposit, chargeback or adjustment in a merchant's books.",
    PAYOUT_ACCOUNT: 'The bank account that a merchant is paid out to.',
    ONBOARDING_APPROVAL: 'The approval of an application, which makes a merchant.',
    CLIENT_SCOPES: 'New rights of a client of staff.',
  },
});

@ObjectType('Proposal', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'An act that one person proposed and another one has to confirm.',
})
@Directive('@key(fields: "proposalId")')
export class ProposalType {
  @Field(() => ID, { description: 'Names the proposal wherever it is asked for.' }) proposalId!: string;
  @Field(() => ProposalKinds, { description: 'What kind of act it is.' }) kind!: keyof typeof ProposalKinds;
  @Field(() => ID, { nullable: true, description: 'The tenant whose thing it is about; null for the platform itself.' })
  accountId!: string | null;
  @Field(() => String, { description: 'What kind of thing it is about, for example merchant.' }) subjectType!: string;
  @Field(() => ID, { description: 'Id of the thing it is about.' }) subjectId!: string;
  @Field(() => String, { nullable: true, description: 'Why it was proposed, in words.' }) reason!: string | null;
  @Field(() => [AuditedFieldType], { description: 'What it would change, with bank accounts masked.' })
  changes!: AuditedFieldType[];
  @Field(() => String, { description: 'The credential of the first person.' }) proposedBy!: string;
  @Field(() => Date, { description: 'When it was proposed, UTC.' }) proposedAt!: Date;
  @Field(() => String, { nullable: true, description: 'The credential that confirmed or rejected it.' })
  endedBy!: string | null;
  @Field(() => Date, { nullable: true, description: 'When it was confirmed or rejected, UTC.' }) endedAt!: Date | null;
  @Field(() => String, { nullable: true, description: 'Why it was rejected, in words.' }) rejection!: string | null;
  @Field(() => ID, { nullable: true, description: 'Id of what was made, for example of the booking.' })
  resultId!: string | null;
}

@ObjectType('Proposed', {
  description: 'Nothing was done yet: somebody else has to confirm it (`confirmProposal`).',
})
@Directive('@shareable')
export class ProposedProposalType {
  proposalId!: string;
}

@ObjectType('ProposalEdge', { simpleResolvers: true, description: 'One proposal in a list, with its cursor.' })
export class ProposalEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => ProposalType, { description: 'The item itself, at this place of the list.' }) node!: ProposalType;
}

@ObjectType('ProposalConnection', { simpleResolvers: true, description: 'One page of proposals.' })
export class ProposalConnectionType extends ConnectionFields {
  @Field(() => [ProposalEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: ProposalEdgeType[];
}
