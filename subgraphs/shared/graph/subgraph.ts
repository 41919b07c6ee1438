// From type-graphql classes to an executable federated subgraph: one function, the same for every domain.
import { printSchemaWithDirectives } from '@graphql-tools/utils';
import {
  type DocumentNode,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parse,
} from 'graphql';
import { buildSchema, createResolversMap, type NonEmptyArray } from 'type-graphql';
import { allowDefinition, assertRuled, guarded } from '../callers/allow';
import type { RecordLook } from '../callers/audit';
import type { RequestContext } from '../callers/context';
import type { Clock } from '../clock';
import { recordingLooks, type Unmasked } from '../crypto/unmasked';
import { federatedSchema } from './federated-schema';
import { printGlobalId } from './global-id';
import { nodeKeys } from './node-keys';
import { RefusalType } from './refusal.type';
import { trialResolvers, withTrials } from './trials';

type Class = new (...args: never[]) => object;

/** Answers one entity representation `{ __typename, <key fields> }`; null when it is absent or belongs to somebody else. */
export type ResolveReference = (
  representation: Record<string, unknown>,
  context: RequestContext,
  info: GraphQLResolveInfo,
) => unknown;

export interface Subgraph {
  name: string;
  schema: GraphQLSchema;
  /** Of `sdl`; parsed anew each time, for only tools ask, and a process would keep it for its life. */
  readonly typeDefs: DocumentNode;
  /** The printed contract, as it is kept under schema/. */
  sdl: string;
  /** What of it is personal or secret; nothing when absent. */
  unmasked?: Unmasked;
}

export interface SubgraphDefinition {
  name: string;
  /** Resolver instances, made by the domain's composition in its index.ts. */
  resolvers: object[];
  /** Every object type class of this subgraph: stated, because several subgraphs in one process share one metadata store. */
  types: Class[];
  /** Reference resolvers by type name; each goes through a loader. */
  references: Record<string, ResolveReference>;
  /** What of it is personal or secret. */
  unmasked?: Unmasked;
  /** Handed in by the composition; without it nobody's look is recorded. */
  recordLook?: RecordLook;
  /** Handed in by the composition: what a person's sign-in is held to; real time without it. */
  clock?: Pick<Clock, 'now'>;
}

const federationLink =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@shareable", "@requires", "@provides", "@inaccessible", "@tag", "@composeDirective"]) @link(url: "https://specs.open-payments.example/allow/v1.0", import: ["@allow"]) @composeDirective(name: "@allow")';

/** Subscriptions are served from the event log by the gateway; the schema only declares them. */
const noPubSub = {
  publish() {
    throw new Error('events are published by the outbox worker only');
  },
  subscribe() {
    throw new Error('subscriptions are served by the gateway only');
  },
};

export async function buildSubgraph(definition: SubgraphDefinition): Promise<Subgraph> {
  const instances = new Map(definition.resolvers.map((instance) => [instance.constructor, instance]));
  const built = await buildSchema({
    resolvers: definition.resolvers.map((instance) => instance.constructor) as unknown as NonEmptyArray<Class>,
    orphanedTypes: [...definition.types, RefusalType],
    container: { get: (resolverClass) => instances.get(resolverClass) },
    pubSub: noPubSub as never,
    validate: false,
    // The check asks the schema for itself, at each start; composing the printed contract (npm run schema) checks more.
    skipCheck: true,
    nullableByDefault: false,
  });
  const schema = withTrials(built);
  describeRoots(schema);
  const printed = withSharedIds(withoutFederationBoilerplate(printSchemaWithDirectives(schema)));
  const sdl = `${federationLink}\n\n${allowDefinition}\n\n${printed}\n`;
  const typeDefs = parse(sdl, { noLocation: true });
  assertRuled(typeDefs);
  const resolvers = createResolversMap(schema) as Record<string, Record<string, unknown>>;
  // What stands behind an interface names its type itself: views are plain objects, of no class.
  for (const { name } of Object.values(schema.getTypeMap()).filter(isInterfaceType))
    resolvers[name] = { ...resolvers[name], __resolveType: ({ __typename }: { __typename?: string }) => __typename };
  for (const { typeName, key } of nodeKeys(typeDefs)) {
    if (key === 'id') continue;
    const printId = (entity: Record<string, unknown>) => printGlobalId({ typeName, key: String(entity[key]) });
    resolvers[typeName] = { ...resolvers[typeName], id: printId };
  }
  for (const [typeName, resolve] of Object.entries(definition.references)) {
    resolvers[typeName] = { ...resolvers[typeName], __resolveReference: resolve };
  }
  const { unmasked = {}, recordLook, clock = realClock } = definition;
  const looked = recordLook ? recordingLooks(resolvers, unmasked, recordLook) : resolvers;
  const { name } = definition;
  const { Mutation = {} } = looked;
  const tried = { ...looked, Mutation: { ...Mutation, ...trialResolvers(schema, Mutation) } };
  const executable = federatedSchema({ name, typeDefs, resolvers: guarded(tried, typeDefs, clock) });
  takeDefaults(schema, executable);
  return {
    name,
    schema: executable,
    sdl,
    unmasked,
    get typeDefs() {
      return parse(sdl, { noLocation: true });
    },
  };
}

const realClock = { now: () => new Date() };

/** Defaults read from the printed schema are the graph's names; a resolver is given the domain's values, as for what a caller sends. */
function takeDefaults(from: GraphQLSchema, to: GraphQLSchema): void {
  for (const [typeName, type] of Object.entries(to.getTypeMap())) {
    const source = from.getType(typeName);
    if (isInputObjectType(type) && isInputObjectType(source)) {
      for (const [name, field] of Object.entries(type.getFields())) {
        field.defaultValue = source.getFields()[name]?.defaultValue;
      }
    } else if (isObjectType(type) && isObjectType(source)) {
      for (const [name, field] of Object.entries(type.getFields())) {
        const { args } = source.getFields()[name] ?? { args: [] };
        for (const argument of field.args) {
          argument.defaultValue = args.find((one) => one.name === argument.name)?.defaultValue;
        }
      }
    }
  }
}

/** The classes cannot describe the types that all resolvers add to. */
const rootDescriptions: Readonly<Record<string, string>> = {
  Query: 'What can be read.',
  Mutation: 'What can be changed.',
  Subscription: 'What can be listened to: events in the order of the log.',
};

function describeRoots(schema: GraphQLSchema): void {
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    if (root) root.description = rootDescriptions[root.name] ?? null;
  }
}

const boilerplate = /^(?:schema\b|directive @(?:key|external|shareable|requires|provides|inaccessible|tag)\b)/;

/** Definitions are printed with an empty line between them. */
function withoutFederationBoilerplate(sdl: string): string {
  const definitions = sdl.split('\n\n').filter((definition) => !boilerplate.test(definition));
  return definitions.join('\n\n').trim();
}

const typeWithOtherKey = /^type \w+ implements (?:\w+ & )*Node\b[^@]*@key\(fields: "(?!id")/;

/** A global id is made from the key alone: whoever knows the entity may print it, as `node(id)` does. */
function withSharedIds(sdl: string): string {
  let isShared = false;
  const lines = sdl.split('\n').map((line) => {
    if (typeWithOtherKey.test(line)) isShared = true;
    else if (line === '}') isShared = false;
    return isShared && line === '  id: ID!' ? `${line} @shareable` : line;
  });
  return lines.join('\n');
}
