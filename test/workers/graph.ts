// Runs a document against the notifications subgraph alone, as the gateway would.
import { graphql } from 'graphql';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { schemaOf } from '../support/subgraph';
import type { World } from './world';

/** The data of an execution without errors. */
export async function executeInSubgraph(
  { notifications, staff }: World,
  source: string,
  variableValues: Record<string, unknown> = {},
  caller: Caller = staff,
): Promise<Record<string, unknown>> {
  const contextValue = requestContext(caller, newId());
  const { data, errors } = await graphql({
    schema: await schemaOf(notifications),
    source,
    variableValues,
    contextValue,
  });
  if (errors?.[0]) throw errors[0].originalError ?? errors[0];
  return data as Record<string, unknown>;
}
