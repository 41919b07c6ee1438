// Both planners plan what the product's own people and pages ask: every persisted operation and every document of the dashboard, with plans that are compiled.
import { buildSchema, getOperationAST, parse } from 'graphql';
import { prepareOperation } from '../../gateway/plan/prepared-operation';
import { loadPlanner, type Planner, type PlannerName, plannerNames } from '../../gateway/planner/planner';
import { contract } from '../support/graph-contract';
import { silentLog } from './fixture';

const apiSchema = buildSchema(contract.apiSdl, { assumeValid: true });
const scope = {
  apiSchema,
  schemaOf: () => apiSchema,
  log: silentLog,
  subgraph: (name: string) => ({ name, prepare: () => async () => ({ data: {} }), close: async () => undefined }),
  gatewayExecutor: async () => {
    throw new Error('the gateway’s own executor was asked for');
  },
};
const persisted = Object.entries(contract.operations).map(([name, { document }]) => [name, document] as const);
const isNoSubscription = ([, text]: readonly [string, string]) =>
  getOperationAST(parse(text))?.operation !== 'subscription';
const trusted = [...(contract.trusted ?? [])].filter(isNoSubscription);
const planners = new Map<PlannerName, Planner>();

beforeAll(async () => {
  for (const name of plannerNames) planners.set(name, await loadPlanner(contract.supergraphSdl, name));
});

describe.each(plannerNames)('%s', (name) => {
  it.each([...persisted, ...trusted])('%s', async (_key, source) => {
    const document = parse(source);
    const operation = getOperationAST(document);
    if (!operation) throw new Error('the document does not define one operation');
    const plan = () => (planners.get(name) as Planner).plan(document, operation.name?.value);
    expect((await prepareOperation(scope, { source, document, operation }, plan)).via).toBe('compiled');
  });
});
