// Whoever may call a route may do all that its operation asks: each scope of a route, alone, against the rules that the schema states for every field.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type FieldNode, Kind, parse, TypeInfo, validate, visit, visitWithTypeInfo } from 'graphql';
import { apiFamilies } from '../../rest-facade/checks/openapi';
import type { Route } from '../../rest-facade/route-record';
import { sandboxRoutes } from '../../rest-facade/routes/sandbox';
import { documentedRoutes } from '../../rest-facade/server';
import { type RulesByType, rulesOf } from '../../subgraphs/shared/callers/allow';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { may } from '../../subgraphs/shared/callers/rights';
import { readOperations } from '../../tools/persisted-operations';

const folder = join(__dirname, '../../schema');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const schema = buildSchema(read('contracts/internal.graphql'), { assumeValidSDL: true });
const operations = readOperations(folder);
const rules = readdirSync(folder)
  .filter((name) => name.endsWith('.graphql') && name !== 'supergraph.graphql')
  .map((name) => rulesOf(parse(read(name))));
const unused = new Proxy({}, { get: () => undefined }) as never;
const routes = [...Object.values(documentedRoutes).flat(), ...sandboxRoutes(unused)];

/** Who calls a route: with each of its scopes alone, or with its key, which needs none. */
function callersOf({ scheme, scopes }: Route): Pick<Caller, 'accountId' | 'scopes'>[] {
  if (scheme === 'sandboxKey') return [{ accountId: null, scopes: ['sandbox:control'] }];
  if (scopes.length === 0) return [{ accountId: '', scopes: [] }];
  return scopes.map((scope) => ({ accountId: 'alpha', scopes: [scope] }));
}

/** Each field of the operation that is closed to the caller, by type and name. */
function closedFields(document: string, caller: Pick<Caller, 'accountId' | 'scopes'>, stated: RulesByType[]): string[] {
  const info = new TypeInfo(schema);
  const closed: string[] = [];
  visit(
    parse(document),
    visitWithTypeInfo(info, {
      [Kind.FIELD]: ({ name }: FieldNode) => {
        const type = info.getParentType()?.name ?? '';
        const rule = stated.map((each) => each.get(type)?.get(name.value)).find((each) => each !== undefined);
        if (rule && !may(caller, ...rule)) closed.push(`${type}.${name.value} (${rule.join(', ')})`);
      },
    }),
  );
  return closed;
}

const served = routes.flatMap((route) =>
  'operation' in route.action ? [{ route, operation: route.action.operation }] : [],
);
const named = served.map(({ route, operation }) => [`${route.method} ${route.path}`, operation, route] as const);

it.each(named)('%s may do all of %s', (_path, operation, route) => {
  const document = operations[operation] ?? '';
  expect(validate(schema, parse(document))).toEqual([]);
  const faults = callersOf(route).flatMap((caller) =>
    closedFields(document, caller, rules).map((field) => `${caller.scopes.join()} does not open ${field}`),
  );
  expect(faults).toEqual([]);
});

it('knows the routes of every OpenAPI file', () => {
  expect(new Set(routes.map(({ family }) => family))).toEqual(new Set(apiFamilies));
});

it('finds a route whose scope its resolver does not admit', () => {
  const document = operations['CreateVirtualAccount'] ?? '';
  expect(closedFields(document, { accountId: 'alpha', scopes: ['mts:lifecycle'] }, rules)).toEqual([
    expect.stringContaining('Mutation.createVirtualAccount'),
  ]);
});
