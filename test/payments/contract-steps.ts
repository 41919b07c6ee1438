// What tests of contracts do over and over: a visit that stores one, or changes it, and the charge that comes later.
import { type CheckoutWorld, card, newOrderId } from './checkout-world';

/** The steps in a world that is opened later. */
export function contractSteps(of: () => CheckoutWorld) {
  const pay = async (recurrence: object, number?: string, session: object = {}) => {
    const { data, code, message } = await of().build({}, { recurrence, ...session });
    if (!data) throw new Error(`${code} ${message}`);
    await of().run('FillCheckoutCard', { sessionId: data.sessionId, card: card(number) });
    return {
      sessionId: data.sessionId,
      result: (await of().run('FinalizeCheckout', { sessionId: data.sessionId })).data,
    };
  };
  return {
    pay,
    async createContract(terms: object = {}, number?: string, session: object = {}): Promise<string> {
      const contractId = newOrderId();
      await pay({ action: 'CONTRACT_CREATION', contractId, ...terms }, number, session);
      return contractId;
    },
    later: (contractId: string | null, terms: object = {}, options: object = {}) =>
      of().build({}, { recurrence: { action: 'SUBSEQUENT_PAYMENT', contractId, ...terms } }, options),
  };
}
