// Every state that the hosted page and the issuer's page can be drawn in, as visits of the graph in memory.
import type { Page } from 'playwright-core';
import type { LoadedCheckout, PageOperation } from '../../pages/pay/checkout-page';
import { DomainError } from '../../subgraphs/shared/errors';
import { goodOperation } from './fake-records';
import { arrive, fillCard } from './hosted-visit';
import { fakeNow, type PageWorld } from './page-world';

export interface PageState {
  name: string;
  /** The first heading that a payer reads. */
  heading: string;
  /** Makes the state; answers the address that shows it. */
  open(world: PageWorld): string;
  /** What the payer does there to get to the state. */
  act?(page: Page, world: PageWorld): Promise<void>;
  status?: number;
}

function complete(change: Partial<PageOperation>, page: Partial<LoadedCheckout> = {}): Partial<LoadedCheckout> {
  const operation = { ...goodOperation({ amount: '4250', currency: 'EUR' }), ...change };
  return { state: 'PAYMENT_COMPLETE', cancelUrl: 'https://shop.example/back', operation, ...page };
}

const visit =
  (change: Partial<LoadedCheckout>, query = '') =>
  ({ pay, fake }: PageWorld) =>
    `${pay}/pay/${fake.add(change).sessionId}${query}`;

/** Methods of which one costs more than the others. */
export const withFee: LoadedCheckout['methods'] = [
  { method: 'CARDS', circuits: ['VISA', 'MC'], fee: null },
  { method: 'PAYPAL', circuits: ['PAYPAL'], fee: '50' },
];

/** Methods that cost the same on top, of which the page tells nothing in what is to be paid. */
export const withHiddenFee: Partial<LoadedCheckout> = {
  family: 'paymentService',
  methods: withFee.map((offered) => ({ ...offered, fee: '100' })),
};

const payNordlys = 'Pay Nordlys Paper & Ink';

export const hostedStates: readonly PageState[] = [
  { name: 'ready', heading: payNordlys, open: visit({}) },
  {
    name: 'only-cards',
    heading: payNordlys,
    open: visit({
      methods: [{ method: 'CARDS', circuits: ['VISA', 'MC'], fee: null }],
      termsAndConditionsIds: ['TC-2026'],
    }),
  },
  {
    name: 'invalid',
    heading: payNordlys,
    open: visit({}),
    async act(page) {
      await fillCard(page, { number: '4242 4242 4242 4241', cvv: '12', holder: '' });
      await page.click('#pay-button');
      await arrive(page, '#errors');
    },
  },
  {
    name: 'card-refused',
    heading: payNordlys,
    open: visit({}),
    async act(page) {
      await fillCard(page, { number: '3782 822463 10005', cvv: '1234' });
      await page.click('#pay-button');
      await arrive(page, '#errors');
    },
  },
  {
    name: 'processing',
    heading: payNordlys,
    open: visit({}),
    // No content: the browser stays where it is, as it does while it waits.
    async act(page) {
      await page.route('**/pay/*', (route) => route.fulfill({ status: 204 }));
      await fillCard(page);
      await page.click('#pay-button');
      await page.waitForSelector('#pay-button.busy');
    },
  },
  {
    name: 'other-method',
    heading: payNordlys,
    open: visit({}),
    act: (page) => page.check('#method-paypal'),
  },
  {
    name: 'closing-soon',
    heading: payNordlys,
    open: visit({ idleUntil: new Date(fakeNow.getTime() + 2 * 60_000).toISOString() }),
    act: async (page) => void (await page.waitForSelector('#idle', { state: 'visible' })),
  },
  { name: 'method-choice-with-fee', heading: payNordlys, open: visit({ methods: withFee }) },
  {
    name: 'card-with-fee',
    heading: payNordlys,
    open: visit({ methods: withFee, state: 'CARD_DATA_COLLECTION', method: 'CARDS', fee: '50', amount: '4300' }),
  },
  { name: 'methods-first', heading: payNordlys, open: visit({ pageType: 'Multipage' }) },
  { name: 'custom-template', heading: payNordlys, open: visit({ pageType: 'Custom', templateName: 'forest' }) },
  {
    name: 'card-ready',
    heading: payNordlys,
    open: visit({ state: 'READY_FOR_PAYMENT', cardEntered: ['CARD_NUMBER'] }),
  },
  { name: 'no-amount', heading: 'Not ready to be paid', open: visit({ amount: null }) },
  {
    name: 'challenge',
    heading: 'Confirm with your bank',
    open: visit({
      state: 'REDIRECTED_TO_EXTERNAL_DOMAIN',
      method: 'CARDS',
      redirectUrl: 'https://acs.example/challenge/1',
    }),
  },
  {
    name: 'at-method',
    heading: 'Continue with PayPal',
    open: visit({
      state: 'REDIRECTED_TO_EXTERNAL_DOMAIN',
      method: 'PAYPAL',
      redirectUrl: 'https://acs.example/method/1',
    }),
  },
  { name: 'success', heading: 'Payment successful', open: visit(complete({}), '?go=1') },
  { name: 'already-paid', heading: 'Already paid', open: visit(complete({})) },
  { name: 'closed', heading: 'Payment closed', open: visit(complete({}, { paymentState: 'Refunded' })) },
  { name: 'pending', heading: 'Payment in progress', open: visit(complete({ operationResult: 'PENDING' })) },
  {
    name: 'verified',
    heading: 'Card confirmed',
    open: visit(complete({ operationType: 'CARD_VERIFICATION', operationAmount: '0' })),
  },
  {
    name: 'collected',
    heading: 'Card details received',
    open: visit(complete({ operationType: 'CARD_CHECK', operationResult: 'THREEDS_VALIDATED' })),
  },
  { name: 'declined', heading: 'Payment declined', open: visit(complete({ operationResult: 'DECLINED' })) },
  { name: 'denied-by-risk', heading: 'Payment declined', open: visit(complete({ operationResult: 'DENIED_BY_RISK' })) },
  {
    name: 'unconfirmed',
    heading: 'Payment not confirmed',
    open: visit(complete({ operationResult: 'THREEDS_FAILED' })),
  },
  { name: 'failed', heading: 'Payment not completed', open: visit(complete({ operationResult: 'FAILED' })) },
  {
    name: 'cancelled',
    heading: 'Payment cancelled',
    open: visit(complete({ operationType: 'CANCEL', operationResult: 'CANCELED' })),
  },
  {
    name: 'expired',
    heading: 'Session expired',
    open: visit(complete({ operationType: 'CANCEL', operationResult: 'CANCELED', channelDetail: 'IDLE' })),
  },
  {
    name: 'unavailable',
    heading: 'Payment is not possible right now',
    status: 503,
    open(world) {
      world.fake.refuseNext(new DomainError('unavailable', undefined, { retryAfterSeconds: 7 }));
      return visit({})(world);
    },
  },
  {
    name: 'unknown',
    heading: 'This payment link is not valid',
    status: 404,
    open: ({ pay }) => `${pay}/pay/0b9f0c86-5a2e-4d6c-8f53-6d3f4be0a111`,
  },
];

const challenge =
  (change: Parameters<PageWorld['fake']['addChallenge']>[0], query = '') =>
  ({ acs, fake }: PageWorld) =>
    `${acs}/challenge/${fake.addChallenge(change).challengeId}${query}`;

export const issuerStates: readonly PageState[] = [
  { name: 'code', heading: 'Confirm it is you', open: challenge({}) },
  { name: 'app', heading: 'Approve in your banking app', open: challenge({}, '?app=1') },
  { name: 'confirmed', heading: 'Confirmed', open: challenge({ status: 'PASSED' }) },
  { name: 'not-confirmed', heading: 'Not confirmed', open: challenge({ status: 'FAILED' }) },
  { name: 'cancelled', heading: 'Cancelled', open: challenge({ status: 'CANCELLED' }) },
  { name: 'time-is-up', heading: 'Time is up', open: challenge({ status: 'TIMED_OUT' }) },
  {
    name: 'not-available',
    heading: 'This confirmation is not available',
    status: 404,
    open: ({ acs }) => `${acs}/challenge/0b9f0c86-5a2e-4d6c-8f53-6d3f4be0a111`,
  },
  {
    name: 'method',
    heading: payNordlys,
    open: ({ acs, fake }) => `${acs}/method/${fake.addVisit().visitId}`,
  },
  {
    name: 'method-ended',
    heading: 'This visit has ended',
    open: ({ acs, fake }) => `${acs}/method/${fake.addVisit({ status: 'PAID' }).visitId}`,
  },
];
