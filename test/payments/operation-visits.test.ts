// Operations by the visit that they came of, which are found by the payment that it is a visit of (graph, OperationFilter).
import { createOperationRepository } from '../../subgraphs/payments/operations/operation.repository';
import type { OperationFilter } from '../../subgraphs/payments/operations/operation-query';
import { newId } from '../../subgraphs/shared/ids';
import { type CheckoutWorld, openCheckoutWorld } from './checkout-world';
import { sampleOperation } from './operation-samples';

const one = sampleOperation(0, { sessionId: newId() });
/** Of the same payment, and of no visit. */
const later = sampleOperation(1, { paymentId: one.paymentId, sessionId: null });
const other = sampleOperation(2, { sessionId: newId() });

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
  const { insertOf } = createOperationRepository(world.stores.connection);
  await world.committer.inTransaction({ inserts: [one, later, other].map(insertOf) });
  const visits = [
    { _id: one.sessionId, paymentId: one.paymentId },
    // A payment whose operations came of another visit.
    { _id: other.sessionId, paymentId: one.paymentId },
  ];
  const sessions = world.stores.connection.collection('checkout_sessions');
  await sessions.insertMany(visits as never, { bypassDocumentValidation: true });
});
afterAll(() => world?.close());

async function asked(filter: OperationFilter): Promise<string[]> {
  const { code, data } = await world.run('GetOperationPage', { filter }, { caller: world.explicit });
  expect(code).toBeNull();
  expect(data.totalCount).toBe(data.operations.length);
  return data.operations.map(({ operationId }: { operationId: string }) => operationId);
}

const { sessionId, paymentId, operationId } = one;
test.each<[string, OperationFilter, string[]]>([
  ['a visit', { sessionId }, [operationId]],
  ['a visit and its payment', { sessionId, paymentId }, [operationId]],
  ['a visit and another payment', { sessionId, paymentId: other.paymentId }, []],
  ['a visit that left nothing in its payment', { sessionId: other.sessionId }, []],
  ['a visit that there never was', { sessionId: newId() }, []],
])('by %s', async (_what, filter, expected) => {
  expect(await asked(filter)).toEqual(expected);
});
