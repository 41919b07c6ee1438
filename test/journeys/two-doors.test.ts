// The same intent through both doors: random histories over REST and over the graph, on twin payments, end in the same answers, refusals and sums (payment service and B).
import { randomUUID } from 'node:crypto';
import { errorTables } from '../../rest-facade/errors/errors';
import type { DomainErrorCode } from '../../subgraphs/shared/errors';
import {
  cards,
  type PaymentService,
  paymentServiceOf,
  payOnPage,
  payWithFields,
  type Shop,
  shopOf,
} from '../support/checkout';
import type { Answer } from '../support/client';
import { accessTokenOf, graph } from '../support/partner';
import fc from '../support/properties';
import { sharedWorld, type World } from '../support/world';

const histories = Number(process.env['DOOR_RUNS'] ?? 6);
let world: World;
let service: PaymentService;
let shop: Shop;
let adminToken: string;

beforeAll(async () => {
  world = await sharedWorld();
  service = await paymentServiceOf(world, 'alpha');
  shop = shopOf(world, 'alpha', 'explicit');
  adminToken = await accessTokenOf(world, world.credentials.graph.admin);
});
afterAll(() => world?.stop());

/** What either door said: done, or a refusal as the family writes it. */
interface Said {
  status: number;
  code: string;
  /** The operation that was made. */
  operationId?: string;
}

const amount = fc.constantFrom(undefined, 1, 1_500, 2_500, 5_000, 5_001);
const done = (operationId: string): Said => ({ status: 200, code: '', operationId });

/** A graph refusal by its code, as the REST family would have written it. */
function asFamily(family: 'payments' | 'checkout', errors: { message: string; extensions: { code: string } }[]): Said {
  const row = errorTables[family][errors[0]?.extensions.code as DomainErrorCode];
  if (!row) throw new Error(`the graph said ${JSON.stringify(errors)}`);
  return { status: row.status, code: row.code ?? '' };
}

async function inGraph(
  family: 'payments' | 'checkout',
  field: string,
  inputType: string,
  id: object,
  input: object,
): Promise<Said> {
  const name = Object.keys(id)[0];
  const { data, errors } = await graph(
    world,
    `mutation Door($id: ID!, $input: ${inputType}!) { done: ${field}(${name}: $id, input: $input) { operation { operationId } } }`,
    { id: Object.values(id)[0], input: { ...input, reason: 'two doors' } },
    adminToken,
  );
  return errors ? asFamily(family, errors) : done(data.done.operation.operationId);
}

const withoutId = ({ status, code }: Said) => ({ status, code });

interface StoredOperation {
  operationType: string;
  operationResult: string;
  operationAmount: string;
}

/** Everything that was done to a payment, in an order of its own, from the graph. */
async function recordOf(paymentId: string): Promise<{ state: string; operations: StoredOperation[] }> {
  const { data, errors } = await graph(
    world,
    `query Record($id: ID!, $filter: OperationFilter) { payment(paymentId: $id) { state } operations(filter: $filter, first: 50, sortIn: ASC) { edges { node { operationType operationResult operationAmount } } } }`,
    { id: paymentId, filter: { paymentId } },
    adminToken,
  );
  if (errors) throw new Error(JSON.stringify(errors));
  const operations = data.operations.edges.map(({ node }: { node: StoredOperation }) => node);
  return {
    state: data.payment.state,
    operations: operations.sort((a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
  };
}

describe('payment service', () => {
  type Step =
    | { what: 'Capture' | 'Refund'; amount: number | undefined }
    | { what: 'Authorize' }
    | { what: 'Cancel'; asVoid: boolean };
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ what: fc.constantFrom('Capture' as const, 'Capture' as const, 'Refund' as const), amount }),
    fc.record({ what: fc.constant('Authorize' as const) }),
    fc.record({ what: fc.constant('Cancel' as const), asVoid: fc.boolean() }),
  );

  async function overRest(paymentId: string, step: Step): Promise<Said> {
    const { what } = step;
    const body = 'amount' in step ? { amount: step.amount } : {};
    const send: Record<Step['what'], (id: string, body: object) => Promise<Answer>> = {
      Authorize: service.authorize,
      Capture: service.capture,
      Cancel: service.cancel,
      Refund: service.refund,
    };
    const { status, body: answer } = await send[what](paymentId, body);
    return status === 200 ? done(answer.transactionRef) : { status, code: answer.type.replace('/problems/', '') };
  }

  it('says and does the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const twins = await Promise.all(
          [0, 1].map(async () => (await service.create({ processing: 'Authorize' })).body.paymentId),
        );
        for (const paymentId of twins) await payOnPage(world, paymentId, cards.visa);
        for (const each of steps) {
          const rest = await overRest(twins[0], each);
          const input = 'amount' in each && each.amount !== undefined ? { amount: String(each.amount) } : {};
          // In the graph a cancel is also the void of either family.
          const isVoid = each.what === 'Cancel' && each.asVoid;
          const viaGraph = await inGraph(
            'payments',
            isVoid ? 'voidPayment' : `${each.what.toLowerCase()}Payment`,
            isVoid ? 'PostOperationInput' : `${each.what}PaymentInput`,
            { paymentId: twins[1] },
            input,
          );
          expect({ each, ...withoutId(rest) }).toEqual({ each, ...withoutId(viaGraph) });
        }
        expect(await recordOf(twins[0])).toEqual(await recordOf(twins[1]));
      }),
      { numRuns: histories, examples: [[[{ what: 'Cancel', asVoid: true }]]] },
    );
  });
});

describe('hosted checkout', () => {
  interface Step {
    what: 'capture' | 'refund' | 'cancel';
    /** Which of the operations made so far, the authorization first. */
    target: number;
    amount: number | undefined;
  }
  const step: fc.Arbitrary<Step> = fc.record({
    what: fc.constantFrom('capture', 'capture', 'refund', 'cancel'),
    target: fc.nat(3),
    amount,
  });

  async function overRest({ what, amount: minor }: Step, operationId: string): Promise<Said> {
    const body = minor === undefined ? {} : { amount: String(minor) };
    const { status, body: answer } = await shop.post(`${what}s`, operationId, body, randomUUID());
    return status === 200 ? done(answer.operationId) : { status, code: answer.errors[0].code };
  }

  it('says and does the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const paid = [await payWithFields(world, shop), await payWithFields(world, shop)];
        const made = paid.map(({ finalized }) => [finalized.body.operation.operationId as string]);
        for (const each of steps) {
          const [left = '', right = ''] = made.map((ids) => ids[each.target % ids.length] ?? '');
          // Cancels take the whole capture: an amount means nothing to them.
          const asked = each.what === 'cancel' ? { ...each, amount: undefined } : each;
          const rest = await overRest(asked, left);
          const input = asked.amount === undefined ? {} : { amount: String(asked.amount) };
          const viaGraph = await inGraph(
            'checkout',
            `${each.what}Operation`,
            'PostOperationInput',
            { operationId: right },
            input,
          );
          expect({ each, ...withoutId(rest) }).toEqual({ each, ...withoutId(viaGraph) });
          for (const [index, said] of [rest, viaGraph].entries())
            if (said.operationId) made[index]?.push(said.operationId);
        }
        const [left, right] = await Promise.all(made.map(async ([id = '']) => recordOf(await paymentIdOf(id))));
        expect(left).toEqual(right);
      }),
      { numRuns: histories },
    );
  });
});

async function paymentIdOf(operationId: string): Promise<string> {
  const { data } = await graph(
    world,
    'query Of($id: ID!) { operation(operationId: $id) { paymentId } }',
    { id: operationId },
    adminToken,
  );
  return data.operation.paymentId;
}
