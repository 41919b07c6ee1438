// Running operations on the graph for a caller: persisted ones by name, documents by text; parsed, validated and planned once.
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  buildSchema,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  parse,
} from 'graphql';
import type { CallerContract } from '../../subgraphs/shared/callers/audience';
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import type { Rule } from '../../subgraphs/shared/callers/rights';
import { withoutSyntax } from '../../subgraphs/shared/graph/without-syntax';
import type { Log } from '../../subgraphs/shared/log/log';
import type { Tracing } from '../../subgraphs/shared/log/tracing';
import type { PlannerName } from '../planner/planner';
import { openPlanner } from '../planner/planner-thread';
import type { SubgraphClient, Variables } from '../subgraphs/subgraph-client';
import type { GraphContract } from './contract';
import { checkDocument, checkTrusted, type GraphDocument } from './document-check';
import { measureDocument } from './document-size';
import { type GatewayExecutor, loadGatewayExecutor } from './gateway-executor';
import { createLru } from './lru';
import { type PreparationScope, type PreparedOperation, prepareOperation } from './prepared-operation';
import { tracedRun } from './run-operation';
import { withScalarRules } from './scalars';
import type { Parsed } from './selection';
import { hashOfDocument, type TrustedDocuments } from './trusted-documents';

/** What prepared documents may weigh together, in bytes as `weightOf` estimates them. */
const preparedBytesMax = 24 * 1024 * 1024;

/** Documents of more selections are planned one at a time. */
const largeSelectionsMin = 50;

export interface Graph {
  /** As much as any caller may see: the contract of staff. */
  readonly apiSchema: GraphQLSchema;
  /** A contract in SDL, as schema/contracts/ has it. */
  sdlOf(contract: CallerContract): string;
  /** The rights of which a subscriber needs one; none for a field without a rule, which nobody may follow. */
  subscriptionRule(field: string): readonly Rule[];
  /** Whether it asks for anything whose look stands in the audit. */
  showsUnmasked(operation: PreparedOperation): boolean;
  /** Runs a persisted operation of schema/operations. An unknown name is a defect. */
  execute(operationName: string, variables: Variables, context: RequestContext): Promise<ExecutionResult>;
  /** Runs any document; one that is refused answers `{ errors }` without `data`. */
  executeDocument(document: GraphDocument, variables: Variables, context: RequestContext): Promise<ExecutionResult>;
  /** Documents that may be asked by their hash. */
  readonly trusted: TrustedDocuments;
  /** Whether this text is one of them. */
  trusts(text: string | undefined): boolean;
  /** Prepares one of them; what their authors agreed on with us may be as long as it needs to be. */
  prepareTrusted(document: GraphDocument): Promise<PreparedOperation | readonly GraphQLError[]>;
  /** What was prepared before for exactly this text and operation name. */
  prepared(document: GraphDocument): PreparedOperation | undefined;
  /** Parses, validates and plans a document, or tells what is wrong with it. */
  prepare(document: GraphDocument): Promise<PreparedOperation | readonly GraphQLError[]>;
  /** Plans a document that somebody else (Apollo Server) has parsed and validated, after `readDocument` let it through. */
  prepareValidated(document: GraphDocument, parsed: DocumentNode): Promise<PreparedOperation>;
  /** Of each subgraph that is a process of its own: whether it answers and is ready. */
  subgraphs(): Promise<Record<string, 'up' | 'down'>>;
  /** The gateway's own executor over the same subgraphs: the oracle of the differential test. */
  oracle(): Promise<GatewayExecutor>;
  close(): Promise<void>;
}

export interface GraphParts {
  contract: GraphContract;
  subgraphs: readonly SubgraphClient[];
  log: Log;
  /** Who plans what has no stored plan. */
  planner?: PlannerName;
  /** Absent: nobody collects spans. */
  tracing?: Tracing | undefined;
}

export function createGraph({ contract, subgraphs, log, planner: plannerName, tracing }: GraphParts): Graph {
  const byName = new Map(subgraphs.map((client) => [client.name, client]));
  const subgraph = (name: string): SubgraphClient => {
    const client = byName.get(name);
    if (!client) throw new Error(`the supergraph names a subgraph ${name} that this process does not know`);
    return client;
  };
  const { trusted = new Map() } = contract;
  const unmasked = new Set(contract.unmasked);
  const apiSchema = readSchema(contract.apiSdl);
  const sdlOf = (audience: CallerContract) => contract.contracts?.[audience] ?? contract.apiSdl;
  const schemas = new Map<string, GraphQLSchema>([[contract.apiSdl, apiSchema]]);
  const schemaOf = (audience: CallerContract) => {
    const sdl = sdlOf(audience);
    const schema = schemas.get(sdl) ?? readSchema(sdl);
    schemas.set(sdl, schema);
    return schema;
  };
  const planner = openPlanner({ supergraphSdl: contract.supergraphSdl, name: plannerName });
  const executor = once<GatewayExecutor>(() => loadGatewayExecutor(contract.supergraphSdl, subgraph));
  const scope: PreparationScope = { apiSchema, log, schemaOf, subgraph, gatewayExecutor: executor.get };
  const persisted = new Map<string, Promise<PreparedOperation>>();
  const inTurn = oneAtATime();
  const documents = createLru<PreparedOperation>(preparedBytesMax, weightOf);

  function persistedOperation(name: string): Promise<PreparedOperation> {
    const known = persisted.get(name);
    if (known) return known;
    const stored = Object.hasOwn(contract.operations, name) ? contract.operations[name] : undefined;
    if (!stored) throw new Error(`there is no persisted operation ${name}`);
    const prepared = prepareOperation(scope, parseOperation(stored.document, name), () => stored.plan);
    persisted.set(name, prepared);
    return prepared;
  }

  async function prepareValidated(document: GraphDocument, parsed: DocumentNode): Promise<PreparedOperation> {
    const known = documents.get(keyOf(document));
    if (known) return known;
    const operation = getOperationAST(parsed, document.operationName);
    if (!operation) throw new Error('the operation was resolved before');
    const operationName = document.operationName ?? undefined;
    const isLarge = measureDocument(parsed).selections > largeSelectionsMin;
    const plan = (toPlan: DocumentNode) => planner.plan(toPlan, operationName);
    const work = async () => {
      const meanwhile = documents.get(keyOf(document));
      if (meanwhile) return meanwhile;
      const prepared = await prepareOperation(scope, { source: document.query, document: parsed, operation }, plan);
      documents.set(keyOf(document), prepared);
      return prepared;
    };
    return isLarge ? inTurn(work) : work();
  }

  async function prepare(document: GraphDocument): Promise<PreparedOperation | readonly GraphQLError[]> {
    const known = documents.get(keyOf(document));
    if (known) return known;
    const checked = checkDocument(schemaOf('staff'), document);
    return Array.isArray(checked) ? checked : prepareValidated(document, checked as DocumentNode);
  }

  async function prepareTrusted(document: GraphDocument): Promise<PreparedOperation | readonly GraphQLError[]> {
    const known = documents.get(keyOf(document));
    if (known) return known;
    const checked = checkTrusted(schemaOf('staff'), document);
    return Array.isArray(checked) ? checked : prepareValidated(document, checked as DocumentNode);
  }

  return {
    get apiSchema() {
      return schemaOf('staff');
    },
    sdlOf,
    trusted,
    trusts: (text) => text !== undefined && trusted.has(hashOfDocument(text)),
    prepareTrusted,
    subscriptionRule: (field) => contract.subscriptionRules[field] ?? [],
    showsUnmasked: (operation) => operation.used().all.some((field) => unmasked.has(field)),
    prepare,
    prepareValidated,
    prepared: (document) => documents.get(keyOf(document)),
    async execute(operationName, variables, context) {
      return tracedRun(tracing, await persistedOperation(operationName), { variables, context });
    },
    async executeDocument(document, variables, context) {
      const prepared = await prepare(document);
      return 'execute' in prepared ? prepared.execute(variables, context) : { errors: prepared };
    },
    async subgraphs() {
      const asked = subgraphs.flatMap(({ name, isAnswering }) => (isAnswering ? [{ name, isAnswering }] : []));
      const found = await Promise.all(asked.map(async ({ name, isAnswering }) => [name, await isAnswering()] as const));
      return Object.fromEntries(found.map(([name, isUp]) => [name, isUp ? 'up' : 'down']));
    },
    oracle: executor.get,
    async close() {
      await planner.close();
      await (await executor.loaded())?.stop();
      await Promise.all(subgraphs.map((client) => client.close()));
    },
  };
}

/** What a prepared document holds: its text and tree, its plan, and code compiled for each of its selections (measured: `npm run bench:memory`). */
function weightOf({ selections }: PreparedOperation, key: string): number {
  return 8 * 1024 + key.length * 16 + selections * 8 * 1024;
}

/** Runs one piece of work after the other, each in a turn of its own, so that whoever else waits for this process comes in between. */
function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve();
  return <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = last.then(nextTurn).then(work);
    last = done.catch(() => {});
    return done;
  };
}

function readSchema(sdl: string): GraphQLSchema {
  return withScalarRules(withoutSyntax(buildSchema(sdl, { assumeValid: true, noLocation: true })));
}

function keyOf({ query, operationName }: GraphDocument): string {
  return operationName ? `${operationName}\n${query}` : query;
}

function parseOperation(source: string, operationName: string): Parsed {
  const document = parse(source);
  const operation = getOperationAST(document, operationName);
  if (!operation) throw new Error(`persisted operation ${operationName} does not define itself`);
  return { source, document, operation };
}

function once<Value>(load: () => Promise<Value>) {
  let pending: Promise<Value> | undefined;
  return {
    get(): Promise<Value> {
      pending ??= load();
      return pending;
    },
    async loaded(): Promise<Value | undefined> {
      return pending;
    },
  };
}
