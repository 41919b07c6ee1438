// The merchant notification: one per operation and change of its result, to the address that came with the order (merchant notification; 2.2-E and 2.6 of the
// decision register). The security token stays sealed until the moment of sending.

import type { Sealed } from '../../shared/crypto/vault';
import { withoutAbsent } from '../../shared/present-members';
import type { EventRecord } from '../../shared/store/unit-of-work';
import { printFixedOffset } from '../../shared/time';
import { type CallbackContent, type CallbackDefinition, securityTokenMark } from './callback-definition';

const toldEvents: readonly string[] = ['operation.recorded', 'operation.resultChanged'];

/** Notifications know five types; a type of authorization is told as one. */
const toldTypes: Record<string, string> = {
  CARD_VERIFICATION: 'AUTHORIZATION',
  CARD_CHECK: 'AUTHORIZATION',
  INCREMENTAL: 'AUTHORIZATION',
  NOSHOW: 'AUTHORIZATION',
  DELAY_CHARGE: 'AUTHORIZATION',
};

/** Notifications do not know DENIED. */
const toldResults: Record<string, string> = { DENIED: 'DECLINED' };

/** Members of the operation object that are told as the event has them, where it has them. */
const copied = [
  'operationAmount',
  'operationCurrency',
  'paymentMethod',
  'paymentCircuit',
  'paymentInstrumentInfo',
  'paymentEndToEndId',
  'cancelledOperationId',
  'omnichannelId',
  'paymentLinkId',
  'customerInfo',
  'warnings',
  'additionalData',
] as const;

export const merchantNotification = {
  description: 'Tells a shop that an operation on a payment has a result.',
  build,
  givenAddresses: ({ data: { notificationUrl } }) => (typeof notificationUrl === 'string' ? [notificationUrl] : []),
  subject: 'operation',
  policy: { parkClientErrorsAfter: 3, goneDisablesEndpoint: false },
} satisfies CallbackDefinition;

/** The notification about an event, or null when nobody is to be told; throws a plain Error for an event without its facts. */
function build(event: EventRecord): CallbackContent | null {
  if (!toldEvents.includes(event.type)) return null;
  const { notificationUrl } = event.data;
  if (typeof notificationUrl !== 'string' || notificationUrl === '') return null;
  const body = {
    eventId: event._id,
    eventTime: printFixedOffset(new Date(event.occurredAt)),
    securityToken: securityTokenMark,
    operation: operationOf(event),
  };
  return {
    path: '',
    headers: {},
    body: JSON.stringify(body),
    orderingKey: fact(event, 'operationId'),
    address: notificationUrl,
    securityToken: sealedOf(event),
  };
}

function operationOf(event: EventRecord): Record<string, unknown> {
  const [type, result] = [fact(event, 'operationType'), fact(event, 'operationResult')];
  const { orderId } = event.data;
  return {
    operationId: fact(event, 'operationId'),
    ...withoutAbsent({ orderId }),
    channel: fact(event, 'channel'),
    operationType: toldTypes[type] ?? type,
    operationResult: toldResults[result] ?? result,
    operationTime: printFixedOffset(timeOf(event)),
    ...Object.fromEntries(copied.flatMap((name) => member(name, event.data[name]))),
  };
}

/** Absent and null are not told. */
function member(name: string, value: unknown): [string, unknown][] {
  return value === undefined || value === null ? [] : [[name, value]];
}

function fact({ _id, data }: EventRecord, name: string): string {
  const value = data[name];
  if (typeof value !== 'string' || value === '') throw new Error(`event ${_id} lacks ${name}`);
  return value;
}

function timeOf(event: EventRecord): Date {
  const time = new Date(fact(event, 'operationTime'));
  if (Number.isNaN(time.getTime())) throw new Error(`event ${event._id} lacks operationTime`);
  return time;
}

function sealedOf({ _id, data }: EventRecord): Sealed {
  const sealed = data['securityTokenSealed'] as Partial<Sealed> | null | undefined;
  if (typeof sealed?.ciphertext !== 'string') throw new Error(`event ${_id} lacks securityTokenSealed`);
  return sealed as Sealed;
}
