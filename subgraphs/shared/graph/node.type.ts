// Relay's Node: what every entity of the graph is, found by its global id.
import { Field, ID, InterfaceType } from 'type-graphql';

/** The field `id` is the same for all of them and made in subgraph.ts from the entity's key. */
@InterfaceType('Node', {
  autoRegisterImplementations: false,
  description: 'Whatever can be found again by its id alone: `node(id)`.',
})
export abstract class NodeType {
  @Field(() => ID, { description: 'The same for this object everywhere in the graph; not to be taken apart.' })
  id!: string;
}
