// Money that staff move through the graph, every such mutation of it: nothing without a reason, and with one the operation and the record of who, what and why (payment service and B, post-operations).
import { type GraphQLInputObjectType, getNamedType, graphql, isInputObjectType } from 'graphql';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import { staffMutations } from '../support/staff-mutations';
import { schemaOf } from '../support/subgraph';
import { openServiceWorld, type ServiceWorld } from './payment-service-world';
import { serviceSteps } from './service-steps';

let world: ServiceWorld;
beforeAll(async () => {
  world = await openServiceWorld();
});
afterAll(() => world.close());

const { capture, documentsOf, operationsOf, stateOf } = serviceSteps(() => world);

interface Row {
  field: string;
  /** What it is called on: a payment by its id, or an operation of that type. */
  on: 'payment' | 'AUTHORIZATION' | 'CAPTURE';
  /** Brings a payment to where it can be done. */
  prepare(): Promise<string>;
  input?: object;
  /** How the audit record names it. */
  action: string;
  operationType: string;
  operationResult: string;
  /** Of the payment, before and after. */
  before: string;
  state: string;
}

const authorized = () => world.authorized();
async function captured(): Promise<string> {
  const paymentId = await authorized();
  await capture(paymentId);
  return paymentId;
}
async function withCard(): Promise<string> {
  const paymentId = await world.created();
  await world.giveCard(paymentId);
  return paymentId;
}

const reserves = { operationType: 'AUTHORIZATION', operationResult: 'AUTHORIZED', state: 'Authorized' };
const captures = { action: 'payment.captured', operationType: 'CAPTURE', operationResult: 'EXECUTED' };
const refunds = { action: 'payment.refunded', operationType: 'REFUND', operationResult: 'REFUNDED' };
const voids = { operationType: 'VOID', operationResult: 'VOIDED', state: 'Cancelled' };
const part = { amount: '2000' };
const before = 'Authorized';

/** Of hosted checkout, or of either family. */
const postOperations: Row[] = [
  { field: 'captureOperation', on: 'AUTHORIZATION', prepare: authorized, ...captures, before, state: 'Captured' },
  {
    field: 'refundOperation',
    on: 'CAPTURE',
    prepare: captured,
    input: part,
    ...refunds,
    before: 'Captured',
    state: 'PartiallyRefunded',
  },
  {
    field: 'cancelOperation',
    on: 'CAPTURE',
    prepare: captured,
    action: 'payment.captureCancelled',
    operationType: 'CANCEL',
    operationResult: 'VOIDED',
    before: 'Captured',
    state: 'Authorized',
  },
  { field: 'voidPayment', on: 'payment', prepare: authorized, action: 'payment.voided', before, ...voids },
];
/** Of the payment service. */
const steps: Row[] = [
  {
    field: 'authorizePayment',
    on: 'payment',
    prepare: withCard,
    action: 'payment.authorized',
    before: 'PendingCustomer',
    ...reserves,
  },
  {
    field: 'capturePayment',
    on: 'payment',
    prepare: authorized,
    input: part,
    ...captures,
    before,
    state: 'PartiallyCaptured',
  },
  { field: 'cancelPayment', on: 'payment', prepare: authorized, action: 'payment.cancelled', before, ...voids },
  { field: 'refundPayment', on: 'payment', prepare: captured, ...refunds, before: 'Captured', state: 'Refunded' },
];
const rows = [...postOperations, ...steps];

/** The mutation as staff send it; its answer, or the refusal. */
async function send({ field, on }: Row, id: string, input: object) {
  const name = on === 'payment' ? 'paymentId' : 'operationId';
  const inputType = staffMutations
    .find((each) => each.name === field)
    ?.args.find((each) => each.name === 'input')?.type;
  const source = `mutation ($id: ID!, $input: ${inputType}) { done: ${field}(${name}: $id, input: $input) {
    operation { operationId operationType operationResult reason } payment { paymentId state } } }`;
  const { data, errors } = await graphql({
    schema: await schemaOf(world.payments),
    source,
    variableValues: { id, input },
    contextValue: requestContext(world.staff, newId()),
  });
  const refusal = errors?.[0] ? refusalOf(errors[0]) : null;
  if (errors && !refusal) throw errors[0];
  // biome-ignore lint/suspicious/noExplicitAny: the schema has just established the shape
  const done = (data as any)?.done ?? null;
  return { done, code: refusal?.code ?? null, field: refusal?.details.field, message: refusal?.message };
}

async function idFor({ on }: Row, paymentId: string): Promise<string> {
  if (on === 'payment') return paymentId;
  const found = (await operationsOf(paymentId)).find((operation) => operation['type'] === on);
  return String(found?._id);
}

test('the rows are every mutation that takes a reason for an operation', () => {
  const moving = staffMutations.filter(({ args }) => {
    const types = args.map(({ type }) => getNamedType(type)).filter((type) => isInputObjectType(type));
    const isReasoned = types.some((type: GraphQLInputObjectType) => 'reason' in type.getFields());
    return isReasoned && args.some(({ name }) => ['operationId', 'paymentId'].includes(name));
  });
  expect(rows.map(({ field }) => field).sort()).toEqual(moving.map(({ name }) => name).sort());
});

async function movesNothing(row: Row, said: object): Promise<void> {
  const paymentId = await row.prepare();
  const before = [await stateOf(paymentId), (await operationsOf(paymentId)).length];
  const refused = await send(row, await idFor(row, paymentId), { ...row.input, ...said });
  const message = 'reason is required of staff.';
  expect(refused).toEqual({ done: null, code: 'invalidInput', field: 'reason', message });
  expect([await stateOf(paymentId), (await operationsOf(paymentId)).length]).toEqual(before);
  expect(await documentsOf('audit', { subjectId: paymentId })).toEqual([]);
}

test.each(rows)('$field without a reason moves nothing', (row) => movesNothing(row, {}));

test.each(rows)('$field with a blank reason moves nothing', (row) => movesNothing(row, { reason: ' \t' }));

test.each(rows)('$field with a reason is done, and written down with who, from what to what and why', async (row) => {
  const { action, operationType, operationResult, before, state } = row;
  const paymentId = await row.prepare();
  const reason = `The shop asked for ${row.field}`;
  const { done, code } = await send(row, await idFor(row, paymentId), { ...row.input, reason });
  expect(code).toBeNull();
  expect(done).toMatchObject({ operation: { operationType, operationResult, reason }, payment: { paymentId, state } });
  expect(await documentsOf('audit', { subjectId: paymentId })).toMatchObject([
    {
      action,
      actor: world.staff.credentialId,
      subjectType: 'payment',
      accountId: 'alpha',
      changes: expect.arrayContaining([
        { field: 'operation', from: null, to: done.operation.operationId },
        { field: 'state', from: before, to: state },
        { field: 'reason', from: null, to: reason },
      ]),
    },
  ]);
});
