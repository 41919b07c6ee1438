// Random queries and mutations of the product's own graph, sent to the running program by staff: whatever is asked, the answer is a refusal of the
// register or data, never a defect.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type GraphQLInputType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { isDomainErrorCode } from '../../subgraphs/shared/errors';
import { newId } from '../../subgraphs/shared/ids';
import { expectNone, proof } from '../faults/proof';
import { send } from '../support/client';
import { eventually } from '../support/stores';
import { twoTenants } from '../support/two-tenants';
import { startWorld, type World } from '../support/world';
import { type DrawArgument, randomDocument } from './random-document';

const schema = buildSchema(readFileSync(join(__dirname, '../../schema/contracts/staff.graphql'), 'utf8'));

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

/** Texts that somebody sends who means harm, or by mistake. */
const oddTexts = [
  '',
  ' ',
  'x',
  '0',
  '-1',
  'null',
  '$ne',
  '{"$gt":""}',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%00',
  '\u0000',
  '\u202e',
  '😀',
  'a'.repeat(5_000),
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '2026-02-30',
  '2026-01-01T00:00:00+25:00',
  '9999-12-31T23:59:59Z',
  '1e999',
  'http://169.254.169.254/',
  'EUR',
  'DK',
];
const numbers = ['0', '1', '2', '-1', '20', '500', '501', '2147483647', '-2147483648'];
const times = ['2020-01-01T00:00:00Z', '2026-11-21T12:00:00+01:00', '9999-12-31T23:59:59.999Z', '0001-01-01T00:00:00Z'];

/** Literals by type and name: half of the ids exist. */
function argumentsOf(ids: Readonly<Record<string, string>>): DrawArgument {
  return ({ name, type }, random) => {
    const pick = (values: readonly string[]): string => values[Math.floor(random() * values.length)] ?? '';
    const literal = (of: GraphQLInputType, called: string, depth: number): string => {
      if (!isNonNullType(of) && random() < 0.05) return 'null';
      return value(of, called, depth);
    };
    const value = (of: GraphQLInputType, called: string, depth: number): string => {
      if (isNonNullType(of)) return value(of.ofType, called, depth);
      if (isListType(of))
        return `[${Array.from({ length: Math.floor(random() * 3) }, () => literal(of.ofType, called, depth)).join(', ')}]`;
      if (isEnumType(of)) return pick(of.getValues().map((value) => value.name));
      if (isInputObjectType(of)) {
        const fields = Object.values(of.getFields()).filter(
          (field) => isNonNullType(field.type) || (depth < 3 && random() < 0.5),
        );
        return `{ ${fields.map((field) => `${field.name}: ${literal(field.type, field.name, depth + 1)}`).join(', ')} }`;
      }
      if (of.name === 'Int' || of.name === 'Float') return pick(numbers);
      if (of.name === 'Boolean') return pick(['true', 'false']);
      if (of.name === 'DateTimeISO') return JSON.stringify(pick(times));
      if (of.name === 'JSONObject') return pick(['{}', '{ a: 1 }', '{ a: { b: [1, "x", null] } }']);
      const known = ids[called];
      if (known !== undefined && random() < 0.5) return JSON.stringify(known);
      return JSON.stringify(random() < 0.3 ? newId() : pick(oddTexts));
    };
    return literal(type, name, 0);
  };
}

/** What no answer may hold: a place in the program, or a name that the caller did not say. */
const insides = /\bat .+:\d+:\d+|node_modules|\.(ts|js):\d+|Did you mean|MongoServerError|E11000|ECONNREFUSED/;

proof('graph-fuzz', { smoke: { documents: 300 }, full: { documents: 50_000 } }, async ({ size, random }) => {
  const { adminToken, ids } = await twoTenants(world);
  const draw = argumentsOf(ids);
  const outcomes = { data: 0, refused: 0, invalid: 0 };
  const found: string[] = [];
  const ask = (query: string, variables: object) =>
    send(world.urls.graph, {
      method: 'POST',
      path: '/graphql',
      options: { headers: { authorization: `Bearer ${adminToken}` }, body: { query, variables } },
    });
  for (let drawn = 0; drawn < size.documents; drawn += 1) {
    const { query, variables } = randomDocument(schema, random.between(0, 2 ** 31), draw);
    const { status, body, text } = await ask(query, variables);
    const errors: { message: string; extensions?: { code?: string } }[] = body?.errors ?? [];
    const codes = errors.map(({ extensions }) => extensions?.code ?? 'none');
    const faults = [
      ...(status >= 500 ? [`status ${status}`] : []),
      ...codes.filter((code) => code === 'internal' || !isKnown(code)),
      ...(insides.exec(text) ?? []).slice(0, 1),
    ];
    if (faults.length > 0)
      found.push(`${faults.join(', ')}\n${query}\n${JSON.stringify(variables)}\n${text.slice(0, 500)}`);
    outcomes[codes.some((code) => code.startsWith('GRAPHQL_')) ? 'invalid' : codes.length > 0 ? 'refused' : 'data'] +=
      1;
  }
  expectNone('answers that no caller should see', found);
  expect(outcomes.data).toBeGreaterThan(size.documents / 20);
  // What the last documents cost is owed first.
  const last = await eventually(async () => {
    const { body } = await ask('{ __typename }', {});
    return body?.errors?.[0]?.extensions?.code !== 'rateLimited' && body;
  });
  expect(last).toEqual({ data: { __typename: 'Query' } });
  return { documents: size.documents, ...outcomes, 'internal errors': 0 };
});

/** Of the register, or one of the protocol. */
function isKnown(code: string): boolean {
  return isDomainErrorCode(code) || /^[A-Z_]+$/.test(code);
}
