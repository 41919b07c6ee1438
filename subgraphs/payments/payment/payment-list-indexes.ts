// The indexes by which lists find payments; a list says its filters in their words.
import { paymentStates } from './payment';

/** Nearly every payment ends as captured: those are found along the time, and the others by their state. Indexes of a state more need a name of their own. */
export const isNotUsual = { state: { $in: paymentStates.filter((state) => state !== 'Captured') } };

/** Keys with their options. By text alone: an index of rows with a $type would not be used for an equality. */
export const paymentListIndexes = [
  [{ environment: 1, merchantId: 1, createdAt: -1, _id: -1 }, {}],
  [{ environment: 1, accountId: 1, createdAt: -1, _id: -1 }, {}],
  [{ environment: 1, createdAt: -1, _id: -1 }, {}],
  [
    { environment: 1, merchantId: 1, state: 1, createdAt: -1, _id: -1 },
    { name: 'ofMerchantByState', partialFilterExpression: isNotUsual },
  ],
  [{ environment: 1, terminalId: 1, createdAt: -1, _id: -1 }, {}],
  [
    { environment: 1, state: 1, createdAt: -1, _id: -1 },
    { name: 'byState', partialFilterExpression: isNotUsual },
  ],
  [
    { environment: 1, orderId: 1, merchantId: 1, createdAt: -1, _id: -1 },
    { partialFilterExpression: { orderId: { $gte: '' } } },
  ],
  [
    { environment: 1, contractId: 1, createdAt: -1, _id: -1 },
    { partialFilterExpression: { contractId: { $gte: '' } } },
  ],
] as const;

/** Of 0.3 and before: of every state, and two for what one order has; others knew of no lanes, one of no ids, and the last three became one. */
export const retiredPaymentIndexes = [
  'environment_1_merchantId_1_state_1_createdAt_-1__id_-1',
  'environment_1_state_1_createdAt_-1__id_-1',
  'environment_1_merchantId_1_orderId_1_createdAt_-1__id_-1',
  'environment_1_orderId_1_createdAt_-1__id_-1',
  'state_1_authorizationExpiresAt_1',
  'authorizationExpiresAt_1',
  'captureDueAt_1',
  'authorizationExpiresAt_1_slot_1',
  'underway.lostAt_1',
  'captureDueAt_1_slot_1',
  'captureType_1_state_1_accountId_1',
];
