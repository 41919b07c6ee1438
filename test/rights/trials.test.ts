// Each mutation that callers have can be tried: the same arguments, the same rule, the same act, with what it is refused with as a typed answer.
import {
  buildSchema,
  type ExecutionResult,
  type GraphQLField,
  type GraphQLSchema,
  graphql,
  isObjectType,
  isUnionType,
} from 'graphql';
import { freshFieldsOf, rulesOf } from '../../subgraphs/shared/callers/allow';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { DomainError } from '../../subgraphs/shared/errors';
import { buildSubgraph, type Subgraph } from '../../subgraphs/shared/graph/subgraph';
import { trialResolvers } from '../../subgraphs/shared/graph/trials';
import { newId } from '../../subgraphs/shared/ids';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import { databaseUnavailable } from '../../subgraphs/shared/store/mongo';
import { type EntityWorld, openEntityWorld, staff } from '../journeys/entity-world';
import { isTrial, staffMutations, staffTrials, triedBy } from '../support/staff-mutations';
import { rootFields } from './any-call';

let world: EntityWorld;
let subgraphs: Subgraph[];
beforeAll(async () => {
  world = await openEntityWorld();
  subgraphs = await Promise.all(world.domains.subgraphs.map(buildSubgraph));
});
afterAll(() => world?.close());

const stated = ({ args }: GraphQLField<unknown, unknown>) => args.map(({ name, type }) => `${name}: ${type}`);

describe('the contract', () => {
  it('has a trial of each mutation that answers with an object, and no other', () => {
    const answering = staffMutations.filter(({ type }) => isObjectType(schemaType(type)));
    expect(staffTrials.map(triedBy).sort()).toEqual(answering.map(({ name }) => name).sort());
  });

  it.each(staffTrials.map((trial) => [trial.name, trial] as const))(
    '%s takes what its mutation takes',
    (_name, trial) => {
      const mutation = staffMutations.find(({ name }) => name === triedBy(trial));
      if (!mutation) throw new Error(`there is no ${triedBy(trial)}`);
      const answer = schemaType(trial.type);
      expect(stated(trial)).toEqual(stated(mutation));
      expect(isUnionType(answer) && answer.getTypes().map(String)).toEqual([
        String(schemaType(mutation.type)),
        'Refusal',
      ]);
    },
  );

  it('lets those try who may act', () => {
    const pairs = subgraphs.flatMap(({ typeDefs }) => {
      const [rules, fresh] = [rulesOf(typeDefs).get('Mutation'), freshFieldsOf(typeDefs)];
      const whoOf = (name: string) => ({ rule: rules?.get(name), isFresh: fresh.has(`Mutation.${name}`) });
      const names = [...(rules?.keys() ?? [])].filter((name) => isTrial({ name }));
      return names.map((name) => ({ name, who: whoOf(name), wanted: whoOf(triedBy({ name })) }));
    });
    expect(pairs.map(({ name }) => name).sort()).toEqual(staffTrials.map(({ name }) => name).sort());
    for (const { who, wanted } of pairs) expect(who).toEqual(wanted);
  });
});

function schemaType(type: GraphQLField<unknown, unknown>['type']) {
  return 'ofType' in type ? type.ofType : type;
}

async function mutate(schema: GraphQLSchema, source: string, caller: Caller) {
  const contextValue = requestContext(caller, newId());
  const { data, errors = [] } = (await graphql({ schema, source, contextValue })) as ExecutionResult;
  const refused = errors[0] ? refusalOf(errors[0]) : null;
  if (errors[0] && !refused) throw errors[0];
  return { data, refused };
}

/** The call of that root field, and what it selects. */
function callOf(schema: GraphQLSchema, field: string, selection: string): string {
  const call = rootFields(schema).find((each) => each.root === 'Mutation' && each.field === field);
  return call?.document.replace('{ __typename }', `{ ${selection} }`) ?? '';
}

const whole = '__typename ... on Refusal { code message field retryAfterSeconds }';

test.each(staffTrials.map(({ name }) => name))('%s answers what its mutation is refused with', async (trial) => {
  const schema = subgraphs.find((each) => each.schema.getMutationType()?.getFields()[trial])?.schema;
  if (!schema) throw new Error(`no subgraph has ${trial}`);
  const call = callOf(schema, triedBy({ name: trial }), '__typename');
  // Once before: what was made, or is over, is refused from then on.
  await mutate(schema, call, staff);
  const { data, refused } = await mutate(schema, call, staff);
  const tried = await mutate(schema, callOf(schema, trial, whole), staff);
  const done = data?.[triedBy({ name: trial })];
  const { field = null, retryAfterSeconds = null } = refused?.details ?? {};
  const { code, message } = refused ?? {};
  expect(tried).toEqual({
    refused: null,
    data: { [trial]: refused ? { __typename: 'Refusal', code, message, field, retryAfterSeconds } : done },
  });
});

test('they are refused in several ways', async () => {
  const refusals = await Promise.all(
    staffTrials.map(async ({ name }) => {
      const schema = subgraphs.find((each) => each.schema.getMutationType()?.getFields()[name])?.schema;
      const { data } = schema ? await mutate(schema, callOf(schema, name, whole), staff) : {};
      return (data?.[name] as { code?: string } | undefined)?.code;
    }),
  );
  expect(new Set(refusals).size).toBeGreaterThan(3);
});

describe('what says nothing about the act', () => {
  const schema = buildSchema('type Done { id: ID } type Query { id: ID } type Mutation { act: Done tryAct: Done }');
  const tried = (error: Error) =>
    trialResolvers(schema, { act: () => Promise.reject(error) })['tryAct']?.(
      null,
      {},
      requestContext(staff, newId()),
      null,
    );

  it.each([
    ['a defect', new Error('a defect')],
    ['a defect that another process told', new DomainError('internal')],
    ['an absent database', databaseUnavailable()],
  ])('%s is an error', async (_what, error) => {
    await expect(tried(error)).rejects.toBe(error);
  });

  it('is not what is refused', async () => {
    await expect(tried(new DomainError('invalidState'))).resolves.toMatchObject({ code: 'invalidState', field: null });
  });
});

test.each<[how: string, caller: Caller, code: string]>([
  ['without the right', { ...staff, scopes: ['graph:read'] }, 'forbidden'],
  ['without a credential', { ...staff, kind: 'anonymous', scopes: [] }, 'unauthenticated'],
])('whoever comes %s hears an error', async (_how, caller, code) => {
  const { schema } = subgraphs.find(({ name }) => name === 'merchants') ?? {};
  if (!schema) throw new Error('no merchants');
  const { data, refused } = await mutate(schema, callOf(schema, 'tryCreateMerchant', whole), caller);
  expect([data, refused?.code]).toEqual([null, code]);
});
