// The one thing about a plan that planners and our compiler both have to be able to say.

/**
 * A plan of a shape that only the gateway's own executor runs: rewrites (an @interfaceObject, @context, a field that two subgraphs type differently),
 * a path by type, @defer, and `requires` on a type that callers cannot see. No plan of our own contract has one; those of the federation audit do.
 */
export class UnknownPlanShape extends Error {
  override readonly name = 'UnknownPlanShape';
}
