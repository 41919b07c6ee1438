// What the compiled plan needs from a subgraph, whether it runs in this process or behind HTTP.
import type { GraphQLError } from 'graphql';
import type { RequestContext } from '../../subgraphs/shared/callers/context';

export type Variables = Readonly<Record<string, unknown>>;

/** Plain data of a GraphQL answer. */
export type ResultObject = Record<string, unknown>;

/** One subgraph's answer; errors already carry `extensions.code` and nothing internal. */
export interface SubgraphResult {
  data?: ResultObject | null;
  errors?: readonly GraphQLError[];
}

/** One operation of one subgraph, parsed, validated and compiled beforehand. */
export type SubgraphOperation = (
  variables: Variables,
  context: RequestContext,
  /** Of the span that this call is, for another process. */
  traceparent?: string,
) => SubgraphResult | Promise<SubgraphResult>;

export interface SubgraphClient {
  readonly name: string;
  /** Compiles once; the result is called for every request. Throws when the subgraph's schema does not know the operation. */
  prepare(operation: string, operationName: string | undefined): SubgraphOperation;
  /** Whether the process behind it answers and is ready, within a second; absent where it is this process. */
  isAnswering?(): Promise<boolean>;
  close(): Promise<void>;
}
