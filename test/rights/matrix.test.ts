// Who may do what: every field of Query, Mutation and Subscription, called as every kind of caller, against the rule that the schema states.
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  parse,
  subscribe,
  validate,
} from 'graphql';
import { assertAllowed, assertRuled, rulesOf } from '../../subgraphs/shared/callers/allow';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { type Rule, rightsOf, rolesOf } from '../../subgraphs/shared/callers/rights';
import { DomainError } from '../../subgraphs/shared/errors';
import { buildSubgraph, type Subgraph } from '../../subgraphs/shared/graph/subgraph';
import { newId } from '../../subgraphs/shared/ids';
import { type EntityWorld, openEntityWorld } from '../journeys/entity-world';
import { contract } from '../support/graph-contract';
import { type RootField, rootFields } from './any-call';
import { callers, words } from './callers';

let world: EntityWorld;
let subgraphs: Subgraph[];
let judgedFields: { schema: GraphQLSchema; rules: ReturnType<typeof rulesOf>; calls: Call[] }[];

beforeAll(async () => {
  world = await openEntityWorld();
  subgraphs = await Promise.all(world.domains.subgraphs.map(buildSubgraph));
  judgedFields = subgraphs.map(({ schema, typeDefs }) => ({
    schema,
    rules: rulesOf(typeDefs),
    calls: callsOf(schema),
  }));
});
afterAll(() => world?.close());

interface Call extends Pick<RootField, 'root' | 'field'> {
  document: DocumentNode;
}

/** Every field of the roots, as a call that is valid. */
function callsOf(schema: GraphQLSchema): Call[] {
  return rootFields(schema).map(({ document: source, ...rest }) => {
    const document = parse(source);
    if (validate(schema, document).length > 0) throw new Error(`not valid: ${source}`);
    return { ...rest, document };
  });
}

/** What the rule made of the call: nothing else of the answer matters. */
async function judged(schema: GraphQLSchema, { root, document }: Call, caller: Caller): Promise<string> {
  const run = root === 'Subscription' ? subscribe : execute;
  const result = (await run({ schema, document, contextValue: requestContext(caller, newId()) })) as ExecutionResult;
  const refused = result.errors?.map(({ originalError }) => originalError).filter(isRuleRefusal) ?? [];
  return refused[0]?.code ?? 'open';
}

function isRuleRefusal(error: unknown): error is DomainError {
  if (!(error instanceof DomainError)) return false;
  return error.code === 'unauthenticated' || (error.code === 'forbidden' && error.message.startsWith('needs '));
}

describe('every field as every caller', () => {
  it.each(callers)('%s', async (_name, caller, rights) => {
    const held = new Set(words(rights));
    const wrong: string[] = [];
    let asked = 0;
    for (const { schema, rules, calls } of judgedFields) {
      for (const each of calls) {
        const rule = rules.get(each.root)?.get(each.field) ?? [];
        const isOpen = rule.some((word) => word === 'public' || held.has(word));
        const expected = isOpen ? 'open' : caller.kind === 'anonymous' ? 'unauthenticated' : 'forbidden';
        const found = await judged(schema, each, caller);
        asked += 1;
        if (found !== expected) wrong.push(`${each.root}.${each.field}: ${found}, expected ${expected}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(120);
  });
});

describe('rights', () => {
  it.each(callers)('of %s are these and no others', (_name, caller, rights) => {
    expect(rightsOf(caller).sort()).toEqual(words(rights).sort());
  });

  it.each([
    ['a viewer', ['viewer']],
    ['support', ['viewer', 'support']],
    ['the administering machine', ['viewer', 'support', 'operator', 'administrator']],
    ['a machine that refunds', []],
    ['an account that was once granted graph:admin', []],
    ['a graph client of an account', []],
  ])('%s has the roles %j', (name, roles) => {
    const [, caller] = callers.find(([known]) => known === name) ?? [];
    expect(caller && rolesOf(caller)).toEqual(roles);
  });

  it.each<[readonly Rule[], string]>([
    [['checkout', 'payments:capture'], 'needs payments:capture'],
    [['payment-service:write', 'payments:cancel', 'payments:refund'], 'needs payments:cancel or payments:refund'],
    [['pages'], 'needs pages'],
  ])('of %j those are told that somebody at the graph can have: %s', (rule, told) => {
    const [, caller] = callers.find(([name]) => name === 'a viewer') ?? [];
    expect(() => caller && assertAllowed({ caller }, rule)).toThrow(told);
  });
});

describe('the contract', () => {
  it('tells the gateway who may follow each subscription', () => {
    const stated = subgraphs.flatMap(({ typeDefs }) => [...(rulesOf(typeDefs).get('Subscription') ?? [])]);
    expect(stated.length).toBeGreaterThan(0);
    expect(contract.subscriptionRules).toEqual(Object.fromEntries(stated));
  });

  it('has every rule in the supergraph', () => {
    const composed = rulesOf(parse(contract.supergraphSdl));
    const stated = subgraphs.flatMap(({ typeDefs }) =>
      [...rulesOf(typeDefs)].flatMap(([type, rules]) => [...rules].map(([field, rule]) => ({ type, field, rule }))),
    );
    expect(stated.map(({ type, field }) => ({ type, field, rule: composed.get(type)?.get(field) }))).toEqual(stated);
  });

  it('is not built when a root field states no rule', () => {
    const typeDefs = parse('type Query { open: Int @allow(any: ["public"]) forgotten: Int }');
    expect(() => assertRuled(typeDefs)).toThrow('Query.forgotten does not state who may');
  });
});
