// The part of the canary proof that sends the hosted page's own form: cards refused and drawn again, paid and declined, in both families of the payment interface.

import { cards, sessionIdOf } from '../support/checkout';
import type { Answer } from '../support/client';
import { send } from '../support/client';
import { freshCardNumber } from '../support/partner';
import { eventually } from '../support/stores';
import type { World } from '../support/world';
import type { Canaries } from './canaries';
import { type Merchant, newCard } from './canary-payments';
import type { Random } from './random';

type TypedCard = ReturnType<typeof newCard>;

/** A visit to the hosted page of a new order. */
export async function hostedVisit({ shop, receiver }: Merchant, { plant }: Canaries): Promise<string> {
  const paymentSession = { notificationUrl: `${receiver.url}/shop` };
  const { hostedPage, securityToken } = (await shop.hostedPage({ paymentSession })).body;
  plant('security token (hosted)', securityToken);
  return sessionIdOf(hostedPage);
}

/** The form as a browser without a script sends it. */
export function postCard(world: World, sessionId: string, card: TypedCard): Promise<Answer> {
  const body = new URLSearchParams({ method: 'CARDS', step: 'pay', ...card }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return send(world.urls.pay, { method: 'POST', path: `/pay/${sessionId}`, options: { headers, body } });
}

/** Two mistakes and then the card, a declined card, and a payment of the payment service. */
export async function oneHostedForm(
  world: World,
  merchant: Merchant,
  canaries: Canaries,
  random: Random,
): Promise<void> {
  const { plant, answers } = canaries;
  const paid = await hostedVisit(merchant, canaries);
  await refuse(world, { sessionId: paid, card: { ...newCard(canaries, random), cvv: '61' }, answers });
  const wrongLuhn = freshCardNumber().replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
  const mistyped = { ...newCard(canaries, random), number: plant('card number (Luhn)', wrongLuhn) };
  await refuse(world, { sessionId: paid, card: mistyped, answers });
  await accept(world, { sessionId: paid, card: newCard(canaries, random), answers });

  const declined = await hostedVisit(merchant, canaries);
  await accept(world, { sessionId: declined, card: newCard(canaries, random, cards.declined), answers });
  const ends = [await merchant.shop.state(paid), await merchant.shop.state(declined)];
  expect(ends.map(({ body }) => body.state)).toEqual(['PAYMENT_COMPLETE', 'PAYMENT_COMPLETE']);

  const created = await merchant.service.create({ processing: 'Authorize' });
  const sessionId = sessionIdOf(created.body.hostedPaymentPageUrl);
  await accept(world, { sessionId, card: newCard(canaries, random), answers });
  expect((await merchant.service.read(created.body.paymentId)).body.state).toBe('Authorized');
}

interface Sending {
  sessionId: string;
  card: TypedCard;
  answers: Answer[];
}

/** The page is drawn again; it gives the payer back the name that was typed, in its field, and nothing else of the card. */
async function refuse(world: World, { sessionId, card, answers }: Sending): Promise<void> {
  const answer = await sendForm(world, sessionId, card);
  const drawn = `value="${card.holder}"`;
  expect([answer.status, answer.text.split(drawn).length - 1]).toEqual([422, 1]);
  answers.push({ ...answer, text: answer.text.replace(drawn, '') });
}

/** The card is taken, whatever comes of it; the page that follows says so. */
async function accept(world: World, { sessionId, card, answers }: Sending): Promise<void> {
  const answer = await sendForm(world, sessionId, card);
  expect(answer.status).toBe(303);
  answers.push(answer, await send(world.urls.pay, { method: 'GET', path: `/pay/${sessionId}` }));
}

/** A busy machine may ask the payer to come again. */
const sendForm = (world: World, sessionId: string, card: TypedCard): Promise<Answer> =>
  eventually(async () => {
    const answer = await postCard(world, sessionId, card);
    return answer.status === 503 ? null : answer;
  });
