// What tests of the payment service do over and over: its calls on a payment, and what the database holds of it.
import type { Answer, ServiceWorld } from './payment-service-world';

/** The steps in a world that is opened later. */
export function serviceSteps(of: () => ServiceWorld) {
  const step =
    (name: string) =>
    (paymentId: string, input: object = {}, more: object = {}): Promise<Answer> =>
      of().run(`${name}Payment`, { paymentId, input, ...more });
  const documentsOf = (collection: string, filter: object) =>
    of().stores.connection.collection(collection).find(filter).toArray();
  return {
    authorize: step('authorize'),
    capture: step('capture'),
    cancel: step('cancel'),
    refund: step('refund'),
    documentsOf,
    operationsOf: (paymentId: string) => documentsOf('operations', { paymentId }),
    stateOf: async (paymentId: string) => (await of().read(paymentId)).state as string,
    codeOf: async (answer: Promise<Answer>) => (await answer).code,
    key: (text: string, fingerprint = text) => ({ key: text, scope: 'POST /test', fingerprint }),
  };
}
