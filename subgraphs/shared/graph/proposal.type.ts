// A proposal as the domains that make one know it: by its id; everything else of it belongs to the access subgraph.
import { Directive, Field, ID, ObjectType } from 'type-graphql';

@ObjectType('Proposal', { simpleResolvers: true })
@Directive('@key(fields: "proposalId", resolvable: false)')
export class ProposalStub {
  @Field(() => ID, { description: 'Names the proposal wherever it is asked for.' }) proposalId!: string;
}

@ObjectType('Proposed', {
  simpleResolvers: true,
  description: 'Nothing was done yet: somebody else has to confirm it (`confirmProposal`).',
})
@Directive('@shareable')
export class ProposedType {
  @Field(() => ProposalStub, { description: 'What waits to be confirmed.' }) proposal!: ProposalStub;
}
