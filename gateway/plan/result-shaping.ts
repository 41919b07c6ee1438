// The last step of every query: what the subgraphs answered becomes what the caller selected, nulls carried up (GraphQL specification, 6.4.4).
import {
  type GraphQLCompositeType,
  type GraphQLLeafType,
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  specifiedScalarTypes,
} from 'graphql';
import type { ResultObject, Variables } from '../subgraphs/subgraph-client';
import type { Lack } from './lacking-answer';
import {
  type CollectedField,
  collectFields,
  type GuardedSelection,
  hasConditions,
  isIncluded,
  type SelectionScope,
  selectionsBelow,
} from './selection';

/** Objects that the domain whose they are answered with null; null: there are none. */
export type AbsentObjects = ReadonlySet<ResultObject> | null;

interface Shaping {
  variables: Variables;
  path: (string | number)[];
  lacks: Lack[];
  absent: AbsentObjects;
}

/** A null that its parent must take over, already accounted for. */
const bubbles = Symbol('bubbles');
/** A null that was accounted for, at a place that may be null. */
const failed = Symbol('failed');

type CompleteValue = (value: unknown, shaping: Shaping) => unknown;
type ShapeObject = (input: ResultObject, shaping: Shaping) => ResultObject | typeof bubbles;

/** What the caller gets, and where that is not what the schema promises. */
interface ShapedResult {
  data: ResultObject | null;
  lacks: readonly Lack[];
}

export type ShapeResult = (input: ResultObject, variables: Variables, absent: AbsentObjects) => ShapedResult;

export function compileShaping(
  scope: SelectionScope,
  rootType: GraphQLCompositeType,
  selections: readonly GuardedSelection[],
): ShapeResult {
  const shape = compileObject(scope, rootType, selections);
  return (input, variables, absent) => {
    const shaping: Shaping = { variables, path: [], lacks: [], absent };
    const data = shape(input, shaping);
    if (data !== bubbles) return { data, lacks: shaping.lacks };
    return { data: null, lacks: absent?.has(input) ? [] : shaping.lacks };
  };
}

interface FieldStep {
  responseName: string;
  /** Names that every object inherits are read with care: `constructor` may be an alias. */
  isInherited: boolean;
  isIncluded: ((variables: Variables) => boolean) | null;
  /** null for __typename. */
  complete: CompleteValue | null;
}

function compileObject(
  scope: SelectionScope,
  type: GraphQLCompositeType,
  selections: readonly GuardedSelection[],
): ShapeObject {
  const steps = collectFields(scope, type, selections).map((field) => compileField(scope, type, field));
  const typeName = isObjectType(type) ? type.name : null;
  return (input, shaping) => {
    const output: ResultObject = {};
    for (const step of steps) {
      if (step.isIncluded && !step.isIncluded(shaping.variables)) continue;
      const { responseName } = step;
      if (step.complete === null) {
        if (typeName === null) return bubbles;
        output[responseName] = typeName;
        continue;
      }
      const value = step.isInherited && !Object.hasOwn(input, responseName) ? null : input[responseName];
      const completed = step.complete(value, shaping);
      if (completed === bubbles) return bubbles;
      output[responseName] = completed === failed ? null : completed;
    }
    return output;
  };
}

function compileField(scope: SelectionScope, parent: GraphQLCompositeType, field: CollectedField): FieldStep {
  const { responseName, fieldName } = field;
  const isGuarded = hasConditions(field);
  const step = {
    responseName,
    isInherited: responseName in Object.prototype,
    isIncluded: isGuarded ? (variables: Variables) => isIncluded(field, variables) : null,
  };
  if (fieldName === '__typename') return { ...step, complete: null };
  const definition = 'getFields' in parent ? parent.getFields()[fieldName] : undefined;
  if (!definition) throw new Error(`${parent.name} has no field ${fieldName}`);
  const describe = (type: GraphQLOutputType, path: readonly (string | number)[]) =>
    typeof path.at(-1) === 'number'
      ? `array element of type ${type} at index ${path.at(-1)}`
      : `field ${parent.name}.${responseName}`;
  const complete = compileType({ scope, selections: selectionsBelow(field), describe }, definition.type);
  return { ...step, complete: quickly(definition.type, located(responseName, complete)) };
}

/** Leaves that are as they should be need no path; everything else takes the full way. */
function quickly(type: GraphQLOutputType, complete: CompleteValue): CompleteValue {
  const leaf = isNonNullType(type) ? type.ofType : type;
  if (!isLeafType(leaf)) return complete;
  const isValid = leafCheck(leaf);
  return (value, shaping) =>
    value !== null && value !== undefined && isValid(value) ? value : complete(value, shaping);
}

interface TypeScope {
  scope: SelectionScope;
  selections: readonly GuardedSelection[];
  describe: (type: GraphQLOutputType, path: readonly (string | number)[]) => string;
}

function located(responseName: string, complete: CompleteValue): CompleteValue {
  return (value, shaping) => {
    shaping.path.push(responseName);
    const completed = complete(value, shaping);
    shaping.path.pop();
    return completed;
  };
}

function report(shaping: Shaping, message: string): void {
  shaping.lacks.push({ path: [...shaping.path], message });
}

function compileType(at: TypeScope, type: GraphQLOutputType): CompleteValue {
  if (isNonNullType(type)) {
    const inner = compileType(at, type.ofType);
    return (value, shaping) => {
      const completed = inner(value, shaping);
      if (completed === failed) return bubbles;
      if (completed !== null) return completed;
      report(shaping, `Cannot return null for non-nullable ${at.describe(type.ofType, shaping.path)}.`);
      return bubbles;
    };
  }
  if (isListType(type)) return compileList(at, type.ofType);
  if (isLeafType(type)) return compileLeaf(at, type);
  return compileComposite(at, getNamedType(type) as GraphQLCompositeType);
}

function compileList(at: TypeScope, elementType: GraphQLOutputType): CompleteValue {
  const inner = compileType(at, elementType);
  return (value, shaping) => {
    if (value === null || value === undefined) return null;
    if (!Array.isArray(value))
      throw new Error(`a subgraph answered something else than a list at ${shaping.path.join('.')}`);
    const { path } = shaping;
    const completed = new Array<unknown>(value.length);
    let isWhole = true;
    for (let index = 0; index < value.length; index += 1) {
      path.push(index);
      const element = inner(value[index], shaping);
      path.pop();
      if (element === bubbles) isWhole = false;
      else completed[index] = element === failed ? null : element;
    }
    return isWhole ? completed : failed;
  };
}

function compileComposite(at: TypeScope, declared: GraphQLCompositeType): CompleteValue {
  const { schema } = at.scope;
  const shapes = new Map<string, ShapeObject>();
  const shapeOf = (type: GraphQLCompositeType): ShapeObject => {
    const shape = compileObject(at.scope, type, at.selections);
    shapes.set(type.name, shape);
    return shape;
  };
  return (value, shaping) => {
    if (value === null || value === undefined) return null;
    if (typeof value !== 'object')
      throw new Error(`a subgraph answered a leaf instead of an object at ${shaping.path.join('.')}`);
    const input = value as ResultObject;
    const typeName = typeof input['__typename'] === 'string' ? input['__typename'] : declared.name;
    let shape = shapes.get(typeName);
    if (!shape) {
      const type = schema.getType(typeName);
      if (!isCompositeType(type)) {
        report(shaping, `Invalid __typename found for object at ${at.describe(declared, shaping.path)}.`);
        return failed;
      }
      shape = shapeOf(type);
    }
    const { lacks } = shaping;
    const known = lacks.length;
    const output = shape(input, shaping);
    if (output !== bubbles) return output;
    if (!shaping.absent?.has(input)) return failed;
    // Not there, or not for this caller: it is null itself, and that is wrong only where it may not be.
    lacks.length = known;
    return null;
  };
}

function compileLeaf(at: TypeScope, type: GraphQLLeafType): CompleteValue {
  const isValid = leafCheck(type);
  return (value, shaping) => {
    if (value === null || value === undefined) return null;
    if (isValid(value)) return value;
    report(shaping, `Invalid value found for ${at.describe(type, shaping.path)}.`);
    return failed;
  };
}

/** Whether a value may stand for that leaf; custom scalars are trusted to their subgraph, which serialized them. */
function leafCheck(type: GraphQLLeafType): (value: unknown) => boolean {
  if (isEnumType(type)) {
    const names = new Set(type.getValues().map(({ name }) => name));
    return (value) => typeof value === 'string' && names.has(value);
  }
  if (!specifiedScalarTypes.some(({ name }) => name === type.name)) return () => true;
  switch (type.name) {
    case 'Boolean':
      return (value) => typeof value === 'boolean';
    case 'Int':
      return (value) => Number.isInteger(value);
    case 'Float':
      return (value) => typeof value === 'number' && Number.isFinite(value);
    case 'ID':
      return (value) => typeof value === 'string' || Number.isInteger(value);
    default:
      return (value) => typeof value === 'string';
  }
}
