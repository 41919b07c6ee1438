// Whether the one fetch of a plan asks for exactly what the caller selected: then its answer needs no second shape.
import type { QueryPlan } from '@apollo/query-planner';
import { type GraphQLCompositeType, getNamedType, isCompositeType, isObjectType, Kind, parse } from 'graphql';
import {
  type CollectedField,
  collectFields,
  fragmentsOf,
  type GuardedSelection,
  type SelectionScope,
  selectionsBelow,
} from './selection';

interface Selected {
  scope: SelectionScope;
  selections: readonly GuardedSelection[];
}

/**
 * The same fields in the same order under the same names, none of them conditional, none of an interface or union (whose fetch asks for the type
 * as well).
 */
export function isOneFetchOf(
  { scope, selections }: Selected,
  rootType: GraphQLCompositeType,
  { node }: QueryPlan,
): boolean {
  if (node?.kind !== 'Fetch' || node.requires) return false;
  const document = parse(node.operation);
  const fetched = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (!fetched) return false;
  return isSame(
    rootType,
    { scope, selections },
    {
      scope: { schema: scope.schema, fragments: fragmentsOf(document) },
      selections: [{ selectionSet: fetched.selectionSet, conditions: [] }],
    },
  );
}

function isSame(type: GraphQLCompositeType, asked: Selected, fetched: Selected): boolean {
  if (!isObjectType(type)) return false;
  const wanted = collectFields(asked.scope, type, asked.selections);
  const got = collectFields(fetched.scope, type, fetched.selections);
  return (
    wanted.length === got.length &&
    wanted.every((field, index) => {
      const other = got[index];
      if (field.responseName !== other?.responseName || field.fieldName !== other.fieldName) return false;
      if (isConditional(field) || isConditional(other)) return false;
      const definition = type.getFields()[field.fieldName];
      const below = definition && getNamedType(definition.type);
      if (!isCompositeType(below)) return true;
      return isSame(
        below,
        { scope: asked.scope, selections: selectionsBelow(field) },
        { scope: fetched.scope, selections: selectionsBelow(other) },
      );
    })
  );
}

function isConditional({ occurrences }: CollectedField): boolean {
  return occurrences.some(({ conditions }) => conditions.length > 0);
}
