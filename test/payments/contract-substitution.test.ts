// Another card behind a contract of family B: once its payment succeeded, and the one agreed before it until then (hosted checkout, recurrence).
import { type CheckoutWorld, minuteMs, openCheckoutWorld } from './checkout-world';
import { contractSteps } from './contract-steps';

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(() => world.close());

const { pay, createContract, later } = contractSteps(() => world);

it('a card is substituted, the terms stay', async () => {
  const contractId = await createContract({
    contractType: 'MIT_SCHEDULED',
    contractExpiryDate: '2027-01-01',
    contractFrequency: 30,
  });
  await pay({ action: 'CARD_SUBSTITUTION', contractId }, '5555555555554444');
  const [contract] = await world.documents('contracts', { contractId });
  expect(contract).toMatchObject({
    type: 'MIT_SCHEDULED',
    expiryDate: '2027-01-01',
    frequencyDays: 30,
    instrument: { circuit: 'MC' },
  });
  const { sessionId } = (await later(contractId)).data;
  expect((await world.run('GetCheckoutCardData', { sessionId })).data.circuit).toBe('MC');
});

const charged = async (contractId: string) => {
  const { sessionId } = (await later(contractId)).data;
  return (await world.run('GetCheckoutCardData', { sessionId })).data.lastFourDigits;
};
const known = async () => {
  world.clock.advance(4_000);
  await world.payments.settle();
};

it('a card whose payment has no outcome yet is put behind the contract when it has; until then the one before is charged', async () => {
  const contractId = await createContract();
  await pay({ action: 'CARD_SUBSTITUTION', contractId }, '4000000000000077');
  expect(await charged(contractId)).toBe('4242');
  await known();
  expect(await charged(contractId)).toBe('0077');
  await pay({ action: 'CARD_SUBSTITUTION', contractId }, '5555555555554444');
  expect(await charged(contractId)).toBe('4444');
});

it.each([
  ['stored', '4000000000000077', []],
  ['substituted', '4242424242424242', ['4000000000000077']],
])(
  'a card that was %s without an outcome and agreed since is charged until the next one is',
  async (_, first, then) => {
    const contractId = await createContract({}, first);
    for (const number of then) await pay({ action: 'CARD_SUBSTITUTION', contractId }, number);
    await known();
    expect(await charged(contractId)).toBe('0077');
    await pay({ action: 'CARD_SUBSTITUTION', contractId }, '4000000000000259');
    expect(await charged(contractId)).toBe('0077');
    world.clock.advance(2 * minuteMs);
    await world.payments.settle();
    expect(await charged(contractId)).toBe('0259');
    const declined = { $set: { state: 'Declined', 'entries.$[].result': 'DECLINED' } };
    const ofLast = { 'instrument.card.lastFour': '0259', contractId };
    await world.stores.connection.collection('payments').updateOne(ofLast, declined);
    expect(await charged(contractId)).toBe('0077');
  },
);
