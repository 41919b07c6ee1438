// The part of the canary proof that pays: cards, security tokens, consents and wallet data through both families of the payment interface, refusals included.
import { randomBytes } from 'node:crypto';
import {
  cards,
  type PaymentService,
  paymentServiceOf,
  payOnPage,
  type Shop,
  settleChallenge,
  shopOf,
  typedCard,
} from '../support/checkout';
import { lastDay } from '../support/expiry';
import { freshCardNumber, sandboxCall } from '../support/partner';
import type { World } from '../support/world';
import { type Canaries, newName } from './canaries';
import type { Random } from './random';
import { openReceiver, type Receiver } from './receivers';

export interface Merchant {
  shop: Shop;
  service: PaymentService;
  /** Outside the program: the built-in receiver would keep the security tokens that it is told. */
  receiver: Receiver;
}

export async function merchantOf(world: World): Promise<Merchant> {
  return {
    shop: shopOf(world, 'alpha', 'explicit'),
    service: await paymentServiceOf(world, 'alpha'),
    receiver: await openReceiver(),
  };
}

/** A card that nobody else has, as the payer types it; with a number, a test card of a holder whom nobody else is called like. */
export function newCard(canaries: Canaries, random: Random, testNumber?: string) {
  const number = canaries.plant('card number (checkout)', testNumber ?? freshCardNumber());
  const cvv = canaries.plantVerification('checkout');
  return { ...typedCard(number), cvv, holder: canaries.plant('cardholder (checkout)', newName(random)) };
}

/** Sessions with card fields: one paid, one refused, one with a challenge and one abandoned. The hosted page's form is in canary-hosted. */
export async function oneCheckout(
  world: World,
  { shop, receiver }: Merchant,
  canaries: Canaries,
  random: Random,
): Promise<void> {
  const { plant, answers } = canaries;
  const paymentSession = { notificationUrl: `${receiver.url}/shop` };
  const fill = (sessionId: string, card: object) =>
    sandboxCall(world, 'POST', `/sandbox/checkout/${sessionId}/card`, card);
  const build = async () => {
    const { sessionId, securityToken } = (await shop.build({ paymentSession })).body;
    plant('security token', securityToken);
    return sessionId as string;
  };
  const paid = await build();
  answers.push(await fill(paid, newCard(canaries, random)));
  const { operation } = (await shop.finalize(paid)).body;
  answers.push(await shop.post('captures', operation.operationId, { amount: '100' }));
  answers.push(await shop.cardData(paid), await shop.operations({ operationId: operation.operationId }));

  const refused = await build();
  for (const changes of [{ expiry: '01/20' }, { cvv: '1' }, { holder: '<script>' }])
    answers.push(await fill(refused, { ...newCard(canaries, random), ...changes }));
  const wrongLuhn = freshCardNumber().replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
  answers.push(await fill(refused, { ...newCard(canaries, random), number: plant('card number (Luhn)', wrongLuhn) }));
  answers.push(await shop.endSession(refused));

  const challenged = await build();
  await fill(challenged, newCard(canaries, random, cards.challenge));
  await shop.finalize(challenged);
  answers.push(await settleChallenge(world, challenged, random.pick(['PASS', 'FAIL', 'CANCEL'] as const)));

  const abandoned = await build();
  await fill(abandoned, newCard(canaries, random));
  answers.push(await shop.endSession(abandoned));

  // Card data where none belongs: in texts, identifiers, a query and a header.
  const { number } = newCard(canaries, random);
  answers.push(await shop.build({ order: { orderId: number, amount: number, currency: number } }));
  answers.push(
    await shop.call('POST', '/api/v1/orders/build', `{"order":{"description":"${number}"`, {
      'content-type': 'application/json',
    }),
  );
  answers.push(await shop.operations({ operationType: number }), await shop.state(number));
  answers.push(await shop.call('GET', '/api/v1/operations', undefined, { 'Correlation-Id': number }));
}

/** A consent, a charge of it, wallet data, and refusals of the payment service. */
export async function onePayment(
  world: World,
  { service }: Merchant,
  canaries: Canaries,
  random: Random,
): Promise<void> {
  const { plant, answers } = canaries;
  const secret = (name: string) => plant(name, randomBytes(18).toString('hex'));
  const details = { type: 'InitialPaymentMethodTokenizationDetails', expiryDate: lastDay, intervalDays: 30 };
  const { paymentId } = (await service.create({ processing: 'Authorize', paymentMethodDetails: details })).body;
  answers.push(await sandboxCall(world, 'POST', `/sandbox/payments/${paymentId}/card`, newCard(canaries, random)));
  const { paymentMethodToken } = (await service.read(paymentId)).body;
  plant('token secret', paymentMethodToken.tokenSecret);
  const paymentMethodDetails = { type: 'PaymentWithToken', ...paymentMethodToken };
  const again = await service.create({ paymentMethodDetails });
  answers.push(await service.authorize(again.body.paymentId));
  answers.push(
    await service.create({
      paymentMethodDetails: { ...paymentMethodDetails, tokenSecret: secret('wrong token secret') },
    }),
  );
  answers.push(
    await service.create({ paymentMethodDetails: { type: 'MobileWallet', paymentData: secret('wallet data') } }),
  );
  answers.push(
    await service.create({
      paymentMethodDetails: { type: 'MobileWallet', paymentData: [secret('wallet data (wrong)')] },
    }),
  );
  const { number } = newCard(canaries, random);
  answers.push(await service.create({ amount: number, currencyCode: number, paymentNumber: `${number}-` }));
  answers.push(await service.call('GET', `/api/v1/payments/${number}?card=${number}`));
  const declined = await service.create();
  answers.push(await payOnPage(world, declined.body.paymentId, cards.declined));
  answers.push(await service.authorize(declined.body.paymentId));
}
