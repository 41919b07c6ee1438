// Card fields, the device check and both flow versions, up to the moment before paying (hosted checkout, field set; 2.2-C of the decision register).
import { type CardFieldId, flow, flowStates, flowTriggers } from '../../subgraphs/payments/sessions/checkout-session';
import { type CheckoutWorld, card, minuteMs, openCheckoutWorld, payUrl } from './checkout-world';

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(() => world.close());

const enter = (sessionId: string, fieldId: CardFieldId | string, value: string) =>
  world.run('EnterCardField', { sessionId, fieldId, value });
const stateOf = async (sessionId: string) => (await world.run('GetCheckoutState', { sessionId })).data.state;
const fillBut = async (sessionId: string, left: CardFieldId | null) => {
  const values = {
    CARD_NUMBER: '4242 4242 4242 4242',
    EXPIRATION_DATE: '12/30',
    SECURITY_CODE: '123',
    CARDHOLDER_NAME: 'Ada Lovelace',
  };
  for (const [field, value] of Object.entries(values)) if (field !== left) await enter(sessionId, field, value);
};

describe('card fields', () => {
  it('are ready when the last of four is good, the e-mail address may follow', async () => {
    const { sessionId } = (await world.build({}, {}, { more: {} })).data;
    await fillBut(sessionId, 'CARD_NUMBER');
    expect((await world.run('GetCheckoutCardData', { sessionId })).code).toBe('flowStateInvalid');
    const last = await enter(sessionId, 'CARD_NUMBER', '3782 822463 10005');
    expect(last.data).toMatchObject({
      valid: true,
      brand: 'AMEX',
      securityCodeLength: 4,
      state: 'CARD_DATA_COLLECTION',
    });
    // An American Express code has four digits: the three that were there are not good any more.
    const code = await enter(sessionId, 'SECURITY_CODE', '1234');
    expect(code.data.state).toBe('READY_FOR_PAYMENT');
    expect((await enter(sessionId, 'CARDHOLDER_EMAIL', 'ada@example.com')).data).toMatchObject({
      valid: true,
      state: 'READY_FOR_PAYMENT',
    });
    expect((await world.run('GetCheckoutCardData', { sessionId })).data).toEqual({
      bin: '378282',
      circuit: 'AMEX',
      expiringDate: '12/30',
      lastFourDigits: '0005',
    });
  });

  it.each([
    ['CARD_NUMBER', '', 'required'],
    ['CARD_NUMBER', '4242', 'incomplete'],
    ['CARD_NUMBER', '4242424242424241', 'invalid'],
    ['CARD_NUMBER', '42424242424242424242', 'invalid'],
    ['CARD_NUMBER', '4242-4242-4242-424x', 'invalid'],
    ['CARD_NUMBER', '{"$ne":1}', 'invalid'],
    ['CARD_NUMBER', '6011111111111117', 'unsupportedCard'],
    ['EXPIRATION_DATE', '13/30', 'invalid'],
    ['EXPIRATION_DATE', '1', 'incomplete'],
    ['EXPIRATION_DATE', '10/26', 'expired'],
    ['SECURITY_CODE', '12', 'incomplete'],
    ['SECURITY_CODE', '12345', 'invalid'],
    ['SECURITY_CODE', 'abc', 'invalid'],
    ['CARDHOLDER_NAME', ' ', 'required'],
    ['CARDHOLDER_NAME', '4242424242424242', 'invalid'],
    ['CARDHOLDER_NAME', '<b>', 'invalid'],
    ['CARDHOLDER_EMAIL', 'ada@', 'invalid'],
  ])('%s "%s" is %s, and makes a ready session collect again', async (field, value, error) => {
    const { sessionId } = (await world.build()).data;
    await fillBut(sessionId, null);
    await world.run('PassDeviceCheck', { sessionId, passed: true });
    expect(await stateOf(sessionId)).toBe('READY_FOR_PAYMENT');
    const { data } = await enter(sessionId, field, value);
    expect(data).toMatchObject({ valid: false, error });
    const [entry] = await world.documents('card_entries', { _id: sessionId });
    expect(Object.keys(entry.parts)).not.toContain(field);
    expect(data.state).toBe(field === 'CARDHOLDER_EMAIL' ? 'READY_FOR_PAYMENT' : 'CARD_DATA_COLLECTION');
  });

  it.each([['11/26'], ['11/2026'], ['1126'], ['11-26'], ['11 / 26']])(
    'takes %s as the present month',
    async (value) => {
      const { sessionId } = (await world.build()).data;
      expect((await enter(sessionId, 'EXPIRATION_DATE', value)).data.valid).toBe(true);
    },
  );

  it('are sealed one by one, and nowhere in the clear', async () => {
    const { sessionId } = (await world.build()).data;
    await fillBut(sessionId, null);
    const [entry] = await world.documents('card_entries', { _id: sessionId });
    const held = JSON.stringify([entry, await world.documents('checkout_sessions', { _id: sessionId })]);
    expect(Object.keys(entry.parts).sort()).toEqual([
      'CARDHOLDER_NAME',
      'CARD_NUMBER',
      'EXPIRATION_DATE',
      'SECURITY_CODE',
    ]);
    for (const secret of ['4242424242424242', 'Ada Lovelace', '12/30']) expect(held).not.toContain(secret);
    expect(entry.purgeAt.getTime()).toBeLessThanOrEqual(Date.now() + 30 * minuteMs);
  });

  it('outlive their minutes on no path', async () => {
    const { sessionId } = (await world.build()).data;
    await fillBut(sessionId, null);
    const key = { _id: sessionId as never };
    await world.stores.connection.collection('card_entries').updateOne(key, { $set: { expiresAt: world.clock.now() } });
    await world.run('PassDeviceCheck', { sessionId, passed: true });
    expect(await stateOf(sessionId)).toBe('CARD_DATA_COLLECTION');
    await world.payments.expireSessions();
    expect((await world.documents('card_entries', { _id: sessionId }))[0].parts).toEqual({});
    await fillBut(sessionId, null);
    await world.stores.connection.collection('card_entries').deleteOne(key);
    expect((await world.run('FinalizeCheckout', { sessionId })).code).toBe('flowStateInvalid');
    await fillBut(sessionId, null);
    await world.run('PassDeviceCheck', { sessionId, passed: true });
    expect((await world.run('FinalizeCheckout', { sessionId })).data.operation.operationResult).toBe('AUTHORIZED');
  });

  it('refuses fields that there are not, and states without fields', async () => {
    const { sessionId } = (await world.build()).data;
    for (const field of ['GDI', 'IBAN', '__proto__', 'parts.CARD_NUMBER'])
      expect((await enter(sessionId, field, '1')).code).toBe('invalidData');
    const choosing = (await world.build({}, { paymentService: null })).data.sessionId;
    expect((await enter(choosing, 'CARD_NUMBER', '4')).code).toBe('flowStateInvalid');
    await world.run('CancelCheckout', { sessionId });
    expect((await enter(sessionId, 'CARD_NUMBER', '4')).code).toBe('flowStateInvalid');
    expect((await enter('0b81ee2f-2b0a-4b4e-9d46-2b8c7ac0a6a1', 'CARD_NUMBER', '4')).code).toBe('notFound');
  });

  it('keeps all of four entered at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { sessionId } = (await world.build()).data;
      const { number, expiry, cvv, holder } = card();
      const answers = await Promise.all([
        enter(sessionId, 'CARD_NUMBER', number),
        enter(sessionId, 'EXPIRATION_DATE', expiry),
        enter(sessionId, 'SECURITY_CODE', cvv),
        enter(sessionId, 'CARDHOLDER_NAME', holder),
      ]);
      expect(answers.map(({ code, data }) => code ?? data.error)).toEqual([null, null, null, null]);
      expect(await stateOf(sessionId)).toBe('GDI_VERIFICATION');
    }
  });
});

describe('flow versions', () => {
  it('1: the check runs with the last field', async () => {
    const { sessionId } = (await world.build()).data;
    await fillBut(sessionId, null);
    const { data } = await world.run('GetCheckoutState', { sessionId });
    expect(data.state).toBe('GDI_VERIFICATION');
    expect(data.fieldSet.fields).toEqual([
      { class: 'GDI', id: 'GDI', type: 'GDI', src: `${payUrl}/frames/${sessionId}/GDI` },
    ]);
    expect((await world.run('FinalizeCheckout', { sessionId })).code).toBe('flowStateInvalid');
    expect((await world.run('PassDeviceCheck', { sessionId, passed: true })).data.state).toBe('READY_FOR_PAYMENT');
  });

  it('3: the check waits for the shop’s own button', async () => {
    const { sessionId } = (await world.build({}, {}, { more: { version: '3' } })).data;
    expect((await world.run('ConfirmCheckout', { sessionId })).code).toBe('flowStateInvalid');
    await fillBut(sessionId, null);
    expect(await stateOf(sessionId)).toBe('CARD_DATA_COLLECTION');
    expect((await world.run('FinalizeCheckout', { sessionId })).code).toBe('flowStateInvalid');
    expect((await world.run('ConfirmCheckout', { sessionId })).data.state).toBe('GDI_VERIFICATION');
    expect((await world.run('PassDeviceCheck', { sessionId, passed: true })).data.state).toBe('READY_FOR_PAYMENT');
    expect((await world.run('ConfirmCheckout', { sessionId })).data.state).toBe('READY_FOR_PAYMENT');
  });

  it('the third failed check ends the session', async () => {
    const { sessionId } = (await world.build()).data;
    await fillBut(sessionId, null);
    for (const state of ['GDI_VERIFICATION', 'GDI_VERIFICATION', 'PAYMENT_COMPLETE'])
      expect((await world.run('PassDeviceCheck', { sessionId, passed: false })).data.state).toBe(state);
    const { data } = await world.run('GetCheckoutState', { sessionId });
    expect(data.operation).toMatchObject({ operationType: 'AUTHORIZATION', operationResult: 'THREEDS_FAILED' });
  });
});

it('has an arrow for every trigger, and none out of the end', () => {
  for (const trigger of flowTriggers) expect(flowStates.some((state) => flow[state][trigger])).toBe(true);
  expect(flow.PAYMENT_COMPLETE).toEqual({});
});
