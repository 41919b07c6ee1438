// The part of the canary proof where processes die: a card half typed, one in a form, a challenge open and a payment under way, each ended by what serves afterwards.
import type { MongoClient } from 'mongodb';
import { cards, settleChallenge } from '../support/checkout';
import { send } from '../support/client';
import { sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import type { World } from '../support/world';
import type { Canaries } from './canaries';
import { hostedVisit, postCard } from './canary-hosted';
import { type Merchant, newCard } from './canary-payments';
import { kindsOf } from './killing';
import type { Random } from './random';

/** Every kind of process, databases included; with every test run only those that see the payers' cards. */
export function kindsToKill(world: World, isSmoke: boolean): string[] {
  const seeing = ['app-1', 'app-2', 'subgraph-payments', 'pages', 'rest-facade'];
  return kindsOf(world).filter((kind) => !isSmoke || seeing.includes(kind));
}

interface Crash {
  merchant: Merchant;
  canaries: Canaries;
  random: Random;
  kind: string;
}

/** Kills one process of the kind while four payers are in the middle; resolves once all four have come to an end. */
export async function crashAmidst(world: World, { merchant, canaries, random, kind }: Crash): Promise<void> {
  const { shop } = merchant;
  const { typing, verification } = await startTyping(world, merchant, canaries, random);
  const challenged = await startSession(merchant, canaries);
  await fill(world, challenged, newCard(canaries, random, cards.challenge));
  await shop.finalize(challenged);
  const paying = await startSession(merchant, canaries);
  await fill(world, paying, newCard(canaries, random));
  const posting = await hostedVisit(merchant, canaries);
  const posted = newCard(canaries, random);

  const underWay = [
    enterField(world, typing, 'SECURITY_CODE', verification),
    settleChallenge(world, challenged, 'PASS'),
    shop.finalize(paying),
    postCard(world, posting, posted),
  ].map((call) => call.catch(() => undefined));
  const members = world.processes().filter(({ role }) => role === kind || role.replace(/-\d+$/, '') === kind);
  const { role, pid } = world.kill(random.pick(members).role);
  for (const answer of await Promise.all(underWay)) if (answer) canaries.answers.push(answer);
  await world.replaced(role, pid);
  await eventually(() => isServing(world), { timeoutMs: 60_000 });

  await untilOver(merchant, typing, () => shop.endSession(typing));
  await untilOver(merchant, challenged, async () => {
    await settleChallenge(world, challenged, 'PASS');
    return shop.finalize(challenged);
  });
  await untilOver(merchant, paying, () => shop.finalize(paying));
  await untilOver(merchant, posting, () => postCard(world, posting, posted));
}

async function isServing({ urls }: World): Promise<boolean> {
  const answers = await Promise.all([urls.rest, urls.pay].map((url) => fetch(`${url}/readyz`)));
  return answers.every(({ status }) => status === 200);
}

/** Sessions whose card is still held although they are over; each holds it for a payment to come, and none is to come here. */
export async function heldCards(client: MongoClient): Promise<string[]> {
  const held = await client
    .db()
    .collection<{ _id: string }>('card_entries')
    .find({ parts: { $ne: {} } })
    .toArray();
  return held.map(({ _id }) => _id);
}

/** Number, date and holder typed into the fields of a shop's page; the verification value is yet to come. */
async function startTyping(world: World, merchant: Merchant, canaries: Canaries, random: Random) {
  const typing = await startSession(merchant, canaries);
  const { number, expiry, cvv, holder } = newCard(canaries, random);
  for (const [field, value] of [
    ['CARD_NUMBER', number],
    ['EXPIRATION_DATE', expiry],
    ['CARDHOLDER_NAME', holder],
  ] as const) {
    const answer = await enterField(world, typing, field, value);
    expect([field, answer.status, answer.body?.valid]).toEqual([field, 200, true]);
    canaries.answers.push(answer);
  }
  return { typing, verification: cvv };
}

async function startSession({ shop, receiver }: Merchant, { plant }: Canaries): Promise<string> {
  const { sessionId, securityToken } = (
    await shop.build({ paymentSession: { notificationUrl: `${receiver.url}/shop` } })
  ).body;
  plant('security token (crash)', securityToken);
  return sessionId;
}

const fill = (world: World, sessionId: string, card: object) =>
  sandboxCall(world, 'POST', `/sandbox/checkout/${sessionId}/card`, card);

/** What the script of a card field sends. */
const enterField = (world: World, sessionId: string, field: string, value: string) =>
  send(world.urls.pay, { method: 'POST', path: `/frames/${sessionId}/${field}`, options: { body: { value } } });

/** Asks again until the session has come to its end, whatever the crash left undone. */
async function untilOver({ shop }: Merchant, sessionId: string, end: () => Promise<unknown>): Promise<void> {
  await eventually(
    async () => {
      await end();
      return (await shop.state(sessionId)).body.state === 'PAYMENT_COMPLETE';
    },
    { timeoutMs: 60_000, everyMs: 250 },
  );
}
