// Random requests drawn from the OpenAPI file over the running program: what the file allows is never called malformed, never MTS-1620, never a 5xx;
// a body in which one field is of another kind is always refused; every answer is held against the file by the client.
import { type OperationObject, readApiFile, type Schema } from '../../rest-facade/checks/openapi';
import { newId } from '../../subgraphs/shared/ids';
import { proof } from '../faults/proof';
import { contractRoot } from '../support/contract';
import { accountExpiry } from '../support/expiry';
import { freshCardNumber, type Partner, partnerOf } from '../support/partner';
import fc from '../support/properties';
import { sharedWorld, type World } from '../support/world';

const { document } = readApiFile(contractRoot, 'tokenization');

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);
const withBody = operations.filter(({ operation }) => operation.requestBody);

/** Values that the schema allows; members that it does not name are thrown in. */
function allowedBy(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.properties) {
    const entries = Object.entries(schema.properties).map(([name, inner]) => [name, allowedBy(inner)] as const);
    const unknown = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }).filter(isReadable);
    return fc.tuple(fc.record(Object.fromEntries(entries)), unknown).map(([known, more]) => ({ ...more, ...known }));
  }
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (typeof schema['pattern'] === 'string') return fc.stringMatching(new RegExp(schema['pattern'], 'u'));
  if (schema.type === 'string') return fc.string();
  throw new Error(`no way yet to draw ${JSON.stringify(schema)}`);
}

/** The one name that no body may use, at any depth (decision 2.0: a body can be read in one way only). */
function isReadable(value: unknown): boolean {
  return !JSON.stringify(value).includes('"__proto__":');
}

function bodySchema(operation: OperationObject): Schema {
  return operation.requestBody?.content['application/json']?.schema ?? {};
}

let world: World;
let partner: Partner;
let virtualAccountId: string;
beforeAll(async () => {
  world = await sharedWorld();
  partner = await partnerOf(world, 'alpha');
  const card = { account: freshCardNumber(), accountExpiry };
  virtualAccountId = (await partner.createToken(card)).body.virtualAccountId;
});
afterAll(() => world?.stop());

const concrete = (path: string, id: string) => path.replace('{virtualAccountId}', id);

/** A value that no field of the tokenization interface takes. */
const odd = fc.oneof(
  fc.constant(undefined),
  fc.constant(null),
  fc.integer(),
  fc.boolean(),
  fc.array(fc.string()),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

proof('contract-fuzz', { smoke: { runs: 150 }, full: { runs: 2_000 } }, async ({ size, seed }) => {
  const draws = { numRuns: size.runs, seed };
  for (const { method, path, operation } of withBody) {
    const schema = bodySchema(operation);
    // Deletion is for good: it is drawn against absent accounts alone.
    const ids = operation.operationId === 'updateTokenState' ? [newId()] : [virtualAccountId, newId()];
    const allowed = fc.asyncProperty(allowedBy(schema), fc.constantFrom(...ids), async (body, id) => {
      const answer = await partner.call(method, concrete(path, id), body);
      expect(answer.status).toBeLessThan(500);
      expect(['MTS-1614', 'MTS-1620']).not.toContain(answer.body?.errorCode);
    });
    await fc.assert(allowed, draws);
    const places = fc.constantFrom(...placesOf(schema));
    const broken = fc.asyncProperty(allowedBy(schema), places, odd, async (body, place, value) => {
      const answer = await partner.call(method, concrete(path, newId()), replaced(body, place, value));
      expect([answer.status, answer.body.errorCode]).toEqual([400, 'MTS-1614']);
    });
    await fc.assert(broken, draws);
  }
  return { operations: withBody.length, requests: withBody.length * 2 * size.runs, wrong: 0 };
});

/** Paths of every field, the holders included. */
function placesOf(schema: Schema): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
    [name],
    ...placesOf(inner).map((place) => [name, ...place]),
  ]);
}

function replaced(body: unknown, [name = '', ...rest]: string[], value: unknown): unknown {
  const holder = body as Record<string, unknown>;
  return { ...holder, [name]: rest.length === 0 ? value : replaced(holder[name], rest, value) };
}
