// A subgraph in this process: each operation compiled to a function once, answers and errors as over HTTP.
import {
  type DocumentNode,
  execute,
  type GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  parse,
  TypeInfo,
  validate,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import type { Log } from '../../subgraphs/shared/log/log';
import { presentError } from '../errors';
import type { ResultObject, SubgraphClient, SubgraphOperation, SubgraphResult, Variables } from './subgraph-client';

interface RawResult {
  data?: ResultObject | null;
  errors?: readonly GraphQLError[];
}

type RunCompiled = (root: unknown, context: RequestContext, variables: Variables) => RawResult | Promise<RawResult>;

/** Compiles one operation of one schema; validates it first, because the compiler trusts its input. */
function compileOperation(schema: GraphQLSchema, operation: string, operationName?: string): RunCompiled {
  const document = parse(operation);
  const wrong = validate(schema, document);
  if (wrong.length > 0) {
    throw new Error(`not an operation of this subgraph: ${wrong.map(({ message }) => message).join('; ')}`);
  }
  if (hasInheritedNames(document) || hasAbsentMembers(document) || hasInputDefaults(schema, document))
    return interpret(schema, document, operationName);
  const compiled = compileQuery(schema, document, operationName, { useExperimentalPathBasedSkipInclude: true });
  if (!isCompiledQuery(compiled)) return interpret(schema, document, operationName);
  return withDefaults(document, compiled.query as RunCompiled);
}

/** graphql-js itself: slower, and without the compiler's blind spots. */
function interpret(schema: GraphQLSchema, document: DocumentNode, operationName: string | undefined): RunCompiled {
  return (_root, contextValue, variables) => {
    return execute({ schema, document, contextValue, variableValues: variables, operationName }) as
      | RawResult
      | Promise<RawResult>;
  };
}

/** The compiler takes a non-null variable for required even when it has a default, and gives resolvers the text of what a scalar made of another: defaults are sent along. */
function withDefaults(document: DocumentNode, run: RunCompiled): RunCompiled {
  const defaults: [string, unknown][] = [];
  visit(document, {
    VariableDefinition({ variable, defaultValue }) {
      if (defaultValue) defaults.push([variable.name.value, valueFromASTUntyped(defaultValue)]);
    },
  });
  if (defaults.length === 0) return run;
  return (root, context, variables) => {
    const missing = defaults.filter(([name]) => variables[name] === undefined);
    return run(root, context, { ...variables, ...Object.fromEntries(missing) });
  };
}

/** The compiler keeps response names in plain objects, where `constructor` is never absent. */
function hasInheritedNames(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Field(field) {
      if ((field.alias ?? field.name).value in Object.prototype) found = true;
    },
  });
  return found;
}

/** The compiler writes null for a variable that was left out inside a written input object, where nothing at all is to be. */
function hasAbsentMembers(document: DocumentNode): boolean {
  const optional = new Set<string>();
  const members = new Set<string>();
  visit(document, {
    VariableDefinition({ variable, type, defaultValue }) {
      if (type.kind !== Kind.NON_NULL_TYPE && !defaultValue) optional.add(variable.name.value);
    },
    ObjectField({ value }) {
      if (value.kind === Kind.VARIABLE) members.add(value.name.value);
    },
  });
  return [...members].some((name) => optional.has(name));
}

/** The compiler takes a non-null field of an input object for required even when it has a default. */
function hasInputDefaults(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let found = false;
  const look = () => {
    const type = getNamedType(types.getInputType());
    if (isInputObjectType(type) && defaultsIn(type, new Set())) found = true;
  };
  visit(document, visitWithTypeInfo(types, { VariableDefinition: look, Argument: look }));
  return found;
}

function defaultsIn(type: GraphQLInputObjectType, seen: Set<GraphQLInputObjectType>): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  return Object.values(type.getFields()).some((field) => {
    const inner = getNamedType(field.type);
    return field.defaultValue !== undefined || (isInputObjectType(inner) && defaultsIn(inner, seen));
  });
}

export function localSubgraph(name: string, schema: GraphQLSchema, log: Log): SubgraphClient {
  return {
    name,
    prepare(operation, operationName): SubgraphOperation {
      const run = compileOperation(schema, operation, operationName);
      return (variables, context) => {
        const result = run(undefined, context, variables);
        return result instanceof Promise
          ? result.then((settled) => present(settled, context))
          : present(result, context);
      };
    },
    async close() {},
  };

  function present(result: RawResult, context: RequestContext): SubgraphResult {
    if (!result.errors || result.errors.length === 0) return result;
    return { data: result.data ?? null, errors: result.errors.map((error) => presentError(error, context, log, name)) };
  }
}
