// Operations by formula for tests of the listing: every facet takes several values, some of them together never.
import type { Operation } from '../../subgraphs/payments/operations/operation';
import type { OperationFilter } from '../../subgraphs/payments/operations/operation-query';
import { newId } from '../../subgraphs/shared/ids';

const kinds = [
  ['AUTHORIZATION', 'AUTHORIZED', 'ECOMMERCE', 'FIELDS'],
  ['AUTHORIZATION', 'DECLINED', 'ECOMMERCE', 'HOSTED_PAGE'],
  ['AUTHORIZATION', 'AUTHORIZED', 'BACKOFFICE', 'MIT'],
  ['CAPTURE', 'EXECUTED', 'BACKOFFICE', 'POST_OPERATION'],
  ['REFUND', 'REFUNDED', 'BACKOFFICE', 'POST_OPERATION'],
  ['CANCEL', 'CANCELED', 'ECOMMERCE', 'FIELDS'],
  ['VOID', 'VOIDED', 'POS', 'a|b%'],
] as const;

const at = <Value>(values: readonly Value[], index: number): Value => values[index % values.length] as Value;

/** The operation of that number; times and amounts repeat, so that ties are met. */
export function sampleOperation(index: number, changes: Partial<Operation> = {}): Operation {
  const [type, result, channel, channelDetail] = at(kinds, index * 5);
  const isCard = index % 7 !== 0;
  return {
    operationId: newId(),
    environment: 'sandbox',
    accountId: 'alpha',
    merchantId: 'merchant-alpha',
    terminalId: index % 11 === 0 ? null : at(['terminal-alpha-implicit', 'terminal-alpha-explicit'], index),
    family: at(['checkout', 'paymentService'] as const, index),
    paymentId: newId(),
    sessionId: index % 4 === 0 ? newId() : null,
    orderId: index % 13 === 0 ? null : `order-${Math.floor(index / 3)}`,
    channel,
    channelDetail,
    type,
    result,
    time: new Date(Date.UTC(2026, 10, 1) + Math.floor(index / 2) * 3_600_000),
    amountMinor: BigInt((index * 37) % 50) * 100n,
    currency: at(['EUR', 'DKK'], index),
    method: isCard ? 'CARD' : 'APM',
    circuit: isCard ? at(['VISA', 'MC', 'AMEX'], index) : index % 14 === 0 ? null : 'PAYPAL',
    instrumentInfo: '424242******4242',
    endToEndId: null,
    parentOperationId: null,
    cancelledOperationId: null,
    omnichannelId: null,
    paymentLinkId: null,
    description: null,
    reason: null,
    customerInfo: null,
    customField: index % 5 === 0 ? 'spring (sale) + more' : null,
    contractId: index % 6 === 0 ? `contract-${index % 12}` : null,
    contractType: index % 6 === 0 ? at(['MIT_SCHEDULED', 'CIT'], index / 6) : null,
    installmentQty: index % 9 === 0 ? at([3, 12], index / 9) : null,
    warnings: [],
    additionalData: {},
    createdAt: new Date(Date.UTC(2026, 10, 1)),
    ...changes,
  };
}

/** One value of each filter, as the graph takes it; each finds some of the samples. */
export const sampleFilters: Record<string, OperationFilter> = {
  channel: { channel: 'BACKOFFICE' },
  channelDetail: { channelDetail: 'POST_OPERATION' },
  'channelDetail with separators': { channelDetail: 'a|b%' },
  customField: { customField: 'spring (sale) + more' },
  fromTime: { fromTime: new Date('2026-11-02T00:00:00Z') },
  toTime: { toTime: new Date('2026-11-04T00:00:00Z') },
  operationType: { operationType: 'CAPTURE' },
  orderId: { orderId: 'order-17' },
  minAmount: { minAmount: '1200' },
  maxAmount: { maxAmount: '3600' },
  contractId: { contractId: 'contract-6' },
  contractType: { contractType: 'CIT' },
  status: { operationResult: 'AUTHORIZED' },
  paymentMethod: { paymentMethod: 'APM' },
  installmentQty: { installmentQty: 3 },
  paymentCircuit: { paymentCircuit: 'AMEX' },
  terminalId: { terminalId: 'terminal-alpha-explicit' },
  family: { family: 'paymentService' },
  currency: { currency: 'DKK' },
  merchantIds: { merchantIds: ['merchant-alpha', 'nobody'] },
  operationTypes: { operationTypes: ['CAPTURE', 'REFUND'] },
  operationResults: { operationResults: ['AUTHORIZED', 'PENDING'] },
  paymentMethods: { paymentMethods: ['APM'] },
  paymentCircuits: { paymentCircuits: ['AMEX', 'PAYPAL', 'no|body%'] },
  currencies: { currencies: ['DKK', 'SEK'] },
};

const names = Object.keys(sampleFilters);
/** Every two of them. */
export const filterPairs = names.flatMap((one, index) =>
  names.slice(index + 1).map((other): [string, string] => [one, other]),
);
