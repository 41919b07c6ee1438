// What a token requestor is told about each event (tokenization interface, notify-update; 2.1 and T3 of the decision register).

import { callbackDefinitions } from '../../subgraphs/notifications';
import type { EventRecord } from '../../subgraphs/shared/store/unit-of-work';
import { virtualAccountEvent } from './world';

const build = (partial: Parameters<typeof virtualAccountEvent>[0]) =>
  callbackDefinitions['notify-update'].build({ ...virtualAccountEvent(partial), position: null } as EventRecord);

const tokenInfo = (tokenStatus: string) => ({ tokenMasked: '999999******0001', tokenExpiry: '112028', tokenStatus });
const accountInfo = { accountMasked: '424242******4242', accountExpiry: '122030' };

test.each([
  [
    'virtualAccount.suspended',
    { tokenStatus: 'SUSPENDED' },
    { updateType: 'TOKEN_STATE_CHANGE', tokenInfo: tokenInfo('SUSPENDED') },
  ],
  [
    'virtualAccount.resumed',
    { tokenStatus: 'ACTIVE' },
    { updateType: 'TOKEN_STATE_CHANGE', tokenInfo: tokenInfo('ACTIVE') },
  ],
  [
    'virtualAccount.cardUpdated',
    { tokenStatus: 'ACTIVE', changes: ['cardNumber'] },
    { updateType: 'CARD_UPDATE', accountInfo, tokenInfo: tokenInfo('ACTIVE') },
  ],
  [
    'virtualAccount.cardUpdated',
    { tokenStatus: 'SUSPENDED', changes: ['par'], accountPar: 'P'.repeat(29) },
    {
      updateType: 'CARD_UPDATE',
      accountInfo: { ...accountInfo, accountPar: 'P'.repeat(29) },
      tokenInfo: tokenInfo('SUSPENDED'),
    },
  ],
  [
    'virtualAccount.deleted',
    { by: 'issuer', tokenStatus: 'ACTIVE' },
    { updateType: 'TOKEN_STATE_CHANGE', tokenInfo: tokenInfo('SUSPENDED') },
  ],
])('%s with %j', (type, data, body) => {
  const content = build({ type, data });
  expect(JSON.parse(content?.body ?? 'null')).toEqual(body);
});

test.each([
  ['virtualAccount.created', {}],
  ['virtualAccount.deleted', { by: 'caller' }],
  ['virtualAccount.cardUpdated', { by: 'caller', changes: ['cardExpiry'] }],
  ['merchant.created', {}],
  ['callbackEndpoint.disabled', {}],
  ['constructor', {}],
])('%s with %j is told to nobody', (type, data) => expect(build({ type, data })).toBeNull());

test('headers are in documented spelling, the request id is the event id, the key is the virtual account', () => {
  const event = virtualAccountEvent({});
  const content = callbackDefinitions['notify-update'].build({ ...event, position: null } as EventRecord);
  expect(content?.headers).toEqual({ 'X-Request-ID': event._id, 'X-Provider-ID': 'provider-alpha' });
  expect(content?.orderingKey).toBe(event.aggregateId);
});

test.each([
  ['..', '/v1/%2E%2E/virtual-accounts/'],
  ['.', '/v1/%2E/virtual-accounts/'],
  ['a/../b', '/v1/a%2F..%2Fb/virtual-accounts/'],
  ['a?b#c d', '/v1/a%3Fb%23c%20d/virtual-accounts/'],
  ['m.1_x-Y', '/v1/m.1_x-Y/virtual-accounts/'],
])('a merchant identifier %j stays one segment of the path', (merchantId, start) => {
  expect(build({ data: { merchantId } })?.path.startsWith(start)).toBe(true);
});

test.each(['merchantId', 'providerId', 'tokenMasked', 'tokenExpiry', 'tokenStatus', 'accountMasked', 'accountExpiry'])(
  'an event without %s is a defect',
  (name) => expect(() => build({ data: { [name]: undefined } })).toThrow(name),
);

test('a provider identifier that would split a header is a defect', () => {
  expect(() => build({ data: { providerId: 'a\r\nX: y' } })).toThrow('printable');
});
