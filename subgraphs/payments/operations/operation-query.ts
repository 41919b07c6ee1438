// How operations are asked for: filter, order, page; everything the operations query of the hosted checkout knows, and what the graph adds.
import type { Caller } from '../../shared/callers/caller';
import { DomainError } from '../../shared/errors';
import { isUuid } from '../../shared/ids';
import { assertListFilter } from '../../shared/list-filter';
import { type CursorField, notOfThisList, parseCursor } from '../../shared/lists/page';
import type { OperationResult, OperationType, PaymentMethod } from '../../shared/vocabulary/operation';
import type { Channel, Operation, PaymentFamily } from './operation';

/** Values of orderBy (2.2-B of the decision register); the operationId breaks ties. */
export const orderings = [
  'operationTime',
  'operationAmount',
  'operationType',
  'operationResult',
  'orderId',
  'paymentCircuit',
] as const;
export type Ordering = (typeof orderings)[number];

export const sortDirections = ['ASC', 'DESC'] as const;
export type SortDirection = (typeof sortDirections)[number];

/** maxRecords (2.2-B of the decision register). */
export const recordsDefault = 20;
export const recordsMax = 500;
/** Farther than that a total is not counted. */
export const countMax = 1_000;
/** Pages are numbered up to here; beyond it, page by toTime. */
export const pageNumberMax = 1_000_000;

export interface OperationFilter {
  merchantId?: string | null;
  operationId?: string | null;
  paymentId?: string | null;
  sessionId?: string | null;
  orderId?: string | null;
  terminalId?: string | null;
  family?: PaymentFamily | null;
  channel?: Channel | null;
  channelDetail?: string | null;
  operationType?: OperationType | null;
  operationResult?: OperationResult | null;
  paymentMethod?: PaymentMethod | null;
  paymentCircuit?: string | null;
  currency?: string | null;
  customField?: string | null;
  contractId?: string | null;
  contractType?: string | null;
  installmentQty?: number | null;
  /** Any of these; beside the one value of the same thing, which has to fit too. */
  merchantIds?: readonly string[] | null;
  operationTypes?: readonly OperationType[] | null;
  operationResults?: readonly OperationResult[] | null;
  paymentMethods?: readonly PaymentMethod[] | null;
  paymentCircuits?: readonly string[] | null;
  currencies?: readonly string[] | null;
  /** Both inclusive. */
  fromTime?: Date | null;
  toTime?: Date | null;
  /** Minor units, both inclusive. */
  minAmount?: string | null;
  maxAmount?: string | null;
}

export interface OperationOrder {
  by: Ordering;
  direction: SortDirection;
}

export const newestFirst: OperationOrder = { by: 'operationTime', direction: 'DESC' };

/** The stored field behind each ordering. */
export const orderedField: Readonly<Record<Ordering, keyof Operation>> = {
  operationTime: 'time',
  operationAmount: 'amountMinor',
  operationType: 'type',
  operationResult: 'result',
  orderId: 'orderId',
  paymentCircuit: 'circuit',
};

/** An API key and a payments client see their own merchant's operations only, whatever the filter says; null: nothing can match. */
export function narrowToCaller(filter: OperationFilter, caller: Caller): OperationFilter | null {
  const own = caller.merchantId;
  if (own === undefined) return filter;
  return filter.merchantId && filter.merchantId !== own ? null : { ...filter, merchantId: own };
}

/** Whether something of a merchant is the caller's to see: an API key and a payments client act for one merchant. */
export function isOwn(caller: Caller): (thing: { merchantId: string }) => boolean {
  return ({ merchantId }) => caller.merchantId === undefined || caller.merchantId === merchantId;
}

/** Whether the caller may act on something of a merchant: the key of a terminal reads all that its merchant has, and acts on what its terminal took. */
export function mayActOn(caller: Caller): (thing: Pick<Operation, 'merchantId' | 'family' | 'terminalId'>) => boolean {
  const isOfTerminal = ({ family, terminalId }: Pick<Operation, 'family' | 'terminalId'>) =>
    caller.terminalId === undefined || (family === 'checkout' && terminalId === caller.terminalId);
  return (thing) => isOwn(caller)(thing) && isOfTerminal(thing);
}

/** Refuses with `timesReversed`, `amountInvalid` or `invalidInput`. */
export function assertFilter(filter: OperationFilter): void {
  const { minAmount, maxAmount } = filter;
  assertAmounts({ minAmount, maxAmount });
  assertListFilter(filter);
}

/** The same of REST's page, where amounts that are the wrong way round find nothing. */
export function assertPageFilter({ minAmount, maxAmount, ...filter }: OperationFilter): void {
  assertAmounts({ minAmount, maxAmount });
  assertListFilter(filter);
}

/** Refuses with `amountInvalid`. */
export function assertAmounts(amounts: Record<string, string | null | undefined>): void {
  for (const [field, text] of Object.entries(amounts)) {
    if (text && !/^\d{1,12}$/.test(text))
      throw new DomainError('amountInvalid', `${field} is not 1 to 12 digits.`, { field });
  }
}

/** Where a page of the graph's list goes on: the last operation's place in the order. */
export interface OperationPosition {
  value: string | number | null;
  operationId: string;
}

function positionOf(operation: Operation, { by }: OperationOrder): OperationPosition {
  const value = operation[orderedField[by]];
  return {
    value:
      value instanceof Date ? value.getTime() : typeof value === 'bigint' ? Number(value) : (value as string | null),
    operationId: operation.operationId,
  };
}

/** The parts of a cursor; the order is part of it, so that a cursor of another order is refused. */
export function cursorParts(operation: Operation, order: OperationOrder): (string | number)[] {
  const { value, operationId } = positionOf(operation, order);
  return [order.by, order.direction, value === null ? 0 : 1, value ?? '', operationId];
}

/** Refuses with `invalidInput` what is no cursor of this list and order. */
export function readPosition(cursor: string, field: CursorField, order: OperationOrder): OperationPosition {
  const [by, direction, isValue, value = '', operationId] = parseCursor(cursor, 5, field);
  const isNumber = by === 'operationTime' || by === 'operationAmount';
  const isFit = isValue === 0 || (isNumber ? Number.isSafeInteger(value) : typeof value === 'string');
  if (by !== order.by || direction !== order.direction || !isUuid(operationId) || !isFit) throw notOfThisList(field);
  return { value: isValue === 0 ? null : value, operationId };
}
