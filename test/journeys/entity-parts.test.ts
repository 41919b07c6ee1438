// Payments and operations that another subgraph asks for: read as far as the selection shows, each field is what it is of the whole record.
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { schemaOf } from '../support/subgraph';
import { type EntityWorld, openEntityWorld, staff } from './entity-world';
import { ownedEntities } from './owned-entities';

let world: EntityWorld;
let schema: GraphQLSchema;
beforeAll(async () => {
  world = await openEntityWorld();
  const subgraph = world.domains.subgraphs.find(({ name }) => name === 'payments');
  if (!subgraph) throw new Error('there are no payments');
  schema = await schemaOf({ subgraph });
});
afterAll(() => world.close());

const kinds = [
  { type: 'Payment', root: 'payment', key: 'paymentId', collection: 'payments' },
  { type: 'Operation', root: 'operation', key: 'operationId', collection: 'operations' },
] as const;

/** Null in a record of which every member is there: nobody was asked, and nothing was told to an acquirer. */
const mayBeNull = new Set(['acquirerCall']);

/** A field with what it is made of, two objects deep. */
function selectionOf(name: string, type: GraphQLOutputType, depth = 2): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return name;
  const fields = Object.values(named.getFields()).filter(
    (field) => !field.args.some(isRequiredArgument) && (depth > 0 || !isObjectType(getNamedType(field.type))),
  );
  return `${name} { __typename ${fields.map((field) => selectionOf(field.name, field.type, depth - 1)).join(' ')} }`;
}

const time = new Date('2026-11-28T10:00:00Z');

/** What is more than a text, or decides what is shown. */
const given: Record<(typeof kinds)[number]['type'], Record<string, unknown>> = {
  Payment: {
    authorizationExpiresAt: time,
    captureDueAt: time,
    authorizedMinor: 5_001,
    capturedMinor: 5_002,
    refundedMinor: 5_003,
    activeCallId: null,
    notification: null,
    instrument: { info: '424242******4242' },
  },
  Operation: {
    result: 'DECLINED',
    installmentQty: 3,
    customerInfo: { mail: 'ada@shop.example' },
    additionalData: { responseReason: 'insufficient_funds' },
    warnings: [{ code: 'W', description: 'w' }],
  },
};

/** One whose every member says something, so that one that was not read shows. */
async function wholeOne({ type, key, collection }: (typeof kinds)[number]): Promise<string> {
  const owned = ownedEntities.find((each) => each.type === type);
  const id = String((await owned?.key(world, 'alpha'))?.[key]);
  const records = world.stores.connection.collection<{ _id: string }>(collection);
  const found = (await records.findOne({ _id: id })) ?? {};
  const empty = Object.entries(found).flatMap(([member, value]) => (value === null ? [member] : []));
  const texts = Object.fromEntries(empty.map((member) => [member, `some ${member}`]));
  const parent = type === 'Operation' ? { parentOperationId: id } : {};
  await records.updateOne(
    { _id: id },
    { $set: { ...texts, ...given[type], ...parent } },
    { bypassDocumentValidation: true },
  );
  return id;
}

describe.each(kinds)('$type', (kind) => {
  it('shows each field alone as it shows it of the whole record', async () => {
    const id = await wholeOne(kind);
    const representation = { __typename: kind.type, [kind.key]: id };
    const fields = Object.values((schema.getType(kind.type) as GraphQLObjectType).getFields());
    const selections = fields.map((field) => selectionOf(field.name, field.type));
    const asked = await world.ask<{ found: Record<string, unknown> }>(
      'payments',
      staff,
      `query ($id: ID!) { found: ${kind.root}(${kind.key}: $id) { ${selections.join(' ')} } }`,
      { id },
    );
    expect(asked.errors).toBeUndefined();
    const whole = asked.data?.found ?? {};
    const silent = fields.filter(({ name }) => whole[name] === null && !mayBeNull.has(name));
    expect(silent.map(({ name }) => name)).toEqual([]);

    const entity = async (selection: string) => {
      const source = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on ${kind.type} { ${selection} } } }`;
      const { data, errors } = await world.ask<{ _entities: Record<string, unknown>[] }>('payments', staff, source, {
        r: [representation],
      });
      expect(errors).toBeUndefined();
      return data?._entities[0];
    };
    for (const [index, { name }] of fields.entries())
      expect(await entity(String(selections[index]))).toEqual({ [name]: whole[name] });
    expect(await entity(selections.join(' '))).toEqual(whole);
  });
});

it('gives whoever wants more the whole of it, in the same request', async () => {
  const operationId = await wholeOne(kinds[1]);
  const stored = await world.stores.connection
    .collection<{ _id: string; paymentId: string }>('operations')
    .findOne({ _id: operationId });
  const paymentId = String(stored?.paymentId);
  const wanted = 'state captureType instrumentInfo actions { action allowed }';
  const source = `query ($r: [_Any!]!, $id: ID!) { whole: payment(paymentId: $id) { ${wanted} }
    _entities(representations: $r) { ... on Payment { state } ... on Operation { payment { ${wanted} } } } }`;
  const r = [
    { __typename: 'Payment', paymentId },
    { __typename: 'Operation', operationId },
  ];
  const { data, errors } = await world.ask<{ whole: { state: string } }>('payments', staff, source, {
    r,
    id: paymentId,
  });
  expect(errors).toBeUndefined();
  expect(data).toHaveProperty('_entities', [{ state: data?.whole.state }, { payment: data?.whole }]);
});
