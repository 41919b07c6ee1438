// What tests of hosted checkout do over and over: a session whose card is in, its finalize, and what the database holds of it.
import { type Answer, type CheckoutWorld, card } from './checkout-world';

/** The steps in a world that is opened later. */
export function checkoutSteps(of: () => CheckoutWorld) {
  return {
    /** The id of a session of card fields that is ready to be paid. */
    async sessionOf(number?: string, session: object = {}): Promise<string> {
      const { data, code, message } = await of().build({}, session);
      if (!data) throw new Error(`${code} ${message}`);
      const filled = await of().run('FillCheckoutCard', { sessionId: data.sessionId, card: card(number) });
      if (filled.data?.state !== 'READY_FOR_PAYMENT') throw new Error(`${filled.data?.state} ${filled.code}`);
      return data.sessionId;
    },
    finalize: (sessionId: string): Promise<Answer> => of().run('FinalizeCheckout', { sessionId }),
    /** Names of the card's parts that are held. */
    partsOf: async (sessionId: string): Promise<string[]> =>
      Object.keys((await of().documents('card_entries', { _id: sessionId }))[0]?.parts ?? {}),
    /** Type and result of each operation, sorted. */
    operationsOf: async (sessionId: string): Promise<string[]> =>
      (await of().documents('operations', { sessionId })).map(({ type, result }) => `${type} ${result}`).sort(),
  };
}
