// The operation that a request has just recorded, for its own answer: it need not be read again.
import type { RequestContext } from '../../shared/callers/context';
import type { Operation } from './operation';

const recorded = new WeakMap<RequestContext, Operation>();

/** Null takes back what was left: its record met another one. */
export function leaveOperation(context: RequestContext, operation: Operation | null): void {
  if (operation) recorded.set(context, operation);
  else recorded.delete(context);
}

/** Null: it was recorded by another request. */
export function operationLeft(context: RequestContext, operationId: string): Operation | null {
  const operation = recorded.get(context);
  return operation?.operationId === operationId ? operation : null;
}
