// The bodies of the hosted checkout: field set, flow result, operation, order status, as the documents name and spell them.
import { withoutAbsent } from '../../subgraphs/shared/present-members';
import { printFixedOffset } from '../../subgraphs/shared/time';

type JsonBody = Record<string, unknown>;

/** As the graph answers it; times are ISO 8601 in UTC there. */
export interface GraphOperation extends JsonBody {
  operationId: string;
  operationTime: string | Date;
}

export interface GraphFieldSet extends JsonBody {
  sessionId: string;
  securityToken: string | null;
  fields: unknown[];
}

export interface GraphFlowResult {
  fieldSet: GraphFieldSet;
  state: string;
  operation: GraphOperation | null;
  url: string | null;
}

export interface GraphOrder {
  authorizedAmount: string;
  capturedAmount: string;
  lastOperationTime: string | Date | null;
  lastOperationType: string | null;
  order: JsonBody;
}

/** Members that are null are absent. */
export function printOperation(operation: GraphOperation): JsonBody {
  return withoutAbsent({ ...operation, operationTime: printTime(operation.operationTime) });
}

export function printFieldSet(fieldSet: GraphFieldSet): JsonBody {
  return withoutAbsent(fieldSet);
}

/** The older build's field set: what its document shows, and nothing else. */
export function printOlderFieldSet({ sessionId, securityToken, fields }: GraphFieldSet): JsonBody {
  return withoutAbsent({ sessionId, securityToken, fields });
}

export function printFlowResult({ fieldSet, state, operation, url }: GraphFlowResult): JsonBody {
  return withoutAbsent({
    fieldSet: printFieldSet(fieldSet),
    state,
    operation: operation && printOperation(operation),
    url,
  });
}

/** The older finalize promises no `url` of its own. */
export function printOlderFlowResult({ url: _inFieldSet, ...result }: GraphFlowResult): JsonBody {
  return printFlowResult({ ...result, url: null });
}

export function printOrderStatus(order: GraphOrder): JsonBody {
  const { authorizedAmount, capturedAmount, lastOperationTime, lastOperationType } = order;
  return withoutAbsent({
    authorizedAmount,
    capturedAmount,
    lastOperationType,
    order: order.order,
    lastOperationTime: lastOperationTime && printTime(lastOperationTime),
  });
}

export function printTime(time: string | Date): string {
  return printFixedOffset(new Date(time));
}
