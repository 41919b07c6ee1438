// Which members of an operation the graph's fields show, for look-ups that read no more than that.
import type { ShownBy } from '../../shared/graph/shown-members';
import type { Operation } from './operation';

export type OperationMember = Exclude<keyof Operation, 'operationId'>;

/** Always there: whose it is. */
export type OperationPart = Pick<Operation, 'operationId' | 'accountId' | 'merchantId'> & Partial<Operation>;

const named = [
  ...(['terminalId', 'family', 'paymentId', 'sessionId', 'orderId', 'channel', 'channelDetail'] as const),
  ...(['parentOperationId', 'cancelledOperationId', 'omnichannelId', 'paymentLinkId', 'customField'] as const),
  ...(['description', 'reason', 'contractId', 'contractType', 'installmentQty', 'createdAt'] as const),
  ...(['customerInfo', 'warnings', 'additionalData'] as const),
] as const;

export const operationShownBy: ShownBy<OperationMember> = {
  sameName: named,
  others: {
    __typename: [],
    id: [],
    operationId: [],
    merchantId: [],
    merchant: [],
    acquirerCall: [],
    operationType: ['type'],
    operationResult: ['result'],
    declineReason: ['result', 'additionalData'],
    operationTime: ['time'],
    operationAmount: ['amountMinor'],
    money: ['amountMinor', 'currency'],
    operationCurrency: ['currency'],
    paymentMethod: ['method'],
    paymentCircuit: ['circuit'],
    paymentInstrumentInfo: ['instrumentInfo'],
    paymentEndToEndId: ['endToEndId'],
    payment: ['paymentId'],
    parentOperation: ['parentOperationId'],
    actions: ['paymentId'],
    possibleActions: ['paymentId'],
  },
};
