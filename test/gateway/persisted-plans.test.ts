// Every persisted operation runs by its compiled plan: none has a shape for which the gateway's own executor would have to be loaded.
import { buildSchema, getOperationAST, parse } from 'graphql';
import { prepareOperation } from '../../gateway/plan/prepared-operation';
import { contract } from '../support/graph-contract';
import { silentLog } from './fixture';

const schema = buildSchema(contract.apiSdl, { assumeValid: true });
const scope = {
  apiSchema: schema,
  schemaOf: () => schema,
  log: silentLog,
  subgraph: (name: string) => ({ name, prepare: () => async () => ({ data: {} }), close: async () => undefined }),
  gatewayExecutor: async () => {
    throw new Error('the gateway’s own executor was asked for');
  },
};

it.each(Object.entries(contract.operations))('%s', async (name, { document, plan }) => {
  const parsed = parse(document);
  const operation = getOperationAST(parsed, name);
  if (!operation) throw new Error(`${name} does not define itself`);
  const { via } = await prepareOperation(scope, { source: document, document: parsed, operation }, () => plan);
  expect(via).toBe('compiled');
});
