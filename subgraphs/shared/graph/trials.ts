// Beside each mutation that callers have, the same one with its refusals as a typed answer: `tryCreateMerchant: MerchantOrRefusal!`. Made of what the
// mutation states already (arguments, result, who may), so nothing is written for it and nothing can differ. Who may not ask at all hears an error from both.
import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLUnionType,
  getNullableType,
  isObjectType,
} from 'graphql';
import { ruleOf } from '../callers/allow';
import { audienceOf } from '../callers/audience';
import type { RequestContext } from '../callers/context';
import type { DomainErrorCode } from '../errors';
import { refusalOf } from '../log/faults';
import { RefusalType } from './refusal.type';

type MutationField = GraphQLFieldConfig<unknown, RequestContext>;
type Resolver = (root: unknown, args: unknown, context: RequestContext, info: unknown) => unknown;

/** What says nothing about the act: an error in either form, so that what alarms on errors sees it. */
const faults: ReadonlySet<DomainErrorCode> = new Set(['internal', 'unavailable']);

/** The schema with the trials in it, whose resolvers `trialResolvers` makes. It must have RefusalType among its types. */
export function withTrials(schema: GraphQLSchema): GraphQLSchema {
  const { mutation, types, ...whole } = schema.toConfig();
  if (!mutation) return schema;
  const { fields, ...config } = mutation.toConfig();
  const refusal = objectType(schema, 'Refusal');
  const answers = new Map<GraphQLObjectType, GraphQLUnionType>();
  const trials: GraphQLFieldConfigMap<unknown, RequestContext> = {};
  for (const [name, field] of Object.entries(fields)) {
    const result = triedResult(field);
    if (!result) continue;
    const answer = answers.get(result) ?? answerOf(result, refusal);
    answers.set(result, answer);
    const { resolve: _none, ...stated } = field;
    const description = `As \`${name}\`, with a refusal as its answer instead of an error.`;
    trials[trialName(name)] = { ...stated, description, type: new GraphQLNonNull(answer) };
  }
  return new GraphQLSchema({
    ...whole,
    mutation: new GraphQLObjectType({ ...config, fields: { ...fields, ...trials } }),
    types: types.filter((type) => type !== mutation),
  });
}

/** The trials of `schema`, by the mutations that they try. */
export function trialResolvers(schema: GraphQLSchema, mutations: Record<string, unknown>): Record<string, Resolver> {
  const tried = Object.keys(mutations).filter((name) => schema.getMutationType()?.getFields()[trialName(name)]);
  return Object.fromEntries(tried.map((name) => [trialName(name), trial(mutations[name] as Resolver)]));
}

function trial(resolve: Resolver): Resolver {
  return async (...call) => {
    try {
      return await resolve(...call);
    } catch (error) {
      const refused = refusalOf(error);
      if (!refused || faults.has(refused.code)) throw error;
      const { code, message, details } = refused;
      const { field = null, retryAfterSeconds = null } = details;
      return Object.assign(new RefusalType(), { code, message, field, retryAfterSeconds });
    }
  };
}

function trialName(mutation: string): string {
  return `try${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}`;
}

/** What the mutation gives back, where a union can have it and callers can ask for it; null elsewhere. */
function triedResult({ type, astNode }: MutationField): GraphQLObjectType | null {
  const directives = astNode?.directives ?? [];
  const result = getNullableType(type);
  const isOfCallers =
    audienceOf(ruleOf(directives) ?? []) !== 'internal' && !directives.some(({ name }) => name.value === 'tag');
  return isOfCallers && isObjectType(result) ? result : null;
}

function answerOf(result: GraphQLObjectType, refusal: GraphQLObjectType): GraphQLUnionType {
  return new GraphQLUnionType({
    name: `${result.name}OrRefusal`,
    description: 'What was asked for, or why not.',
    types: [result, refusal],
    resolveType: (value) => (value instanceof RefusalType ? refusal.name : result.name),
  });
}

function objectType(schema: GraphQLSchema, name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`the schema has no object type ${name}`);
  return type;
}
