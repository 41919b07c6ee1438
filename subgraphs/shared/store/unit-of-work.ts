// The one seam through which anything is written: state, events and idempotency record in one MongoDB transaction, committed in groups.
import type { Document, UpdateFilter } from 'mongodb';
import type { Environment } from '../callers/caller';
import { newOrderedId } from '../ids';
import { slotOf } from './slot';

/** Names of aggregates; each has a gap-free sequence of events. */
export const aggregateTypes = [
  'virtualAccount',
  'payment',
  'application',
  'callback',
  'callbackEndpoint',
  'merchant',
  'agreement',
  'client',
  'ledger',
  'payout',
  'job',
  'audit',
] as const;
export type AggregateType = (typeof aggregateTypes)[number];

/** A fact that happened, as it is kept in the log. Ids and facts only: no card number, no token value, no secret. */
export interface EventRecord<Data = Record<string, unknown>> {
  /** The event's id, a UUID: equal to webhook-id, to the X-Request-ID of notify-update and to `eventId` everywhere else. */
  _id: string;
  environment: Environment;
  accountId: string;
  merchantId: string | null;
  aggregateType: AggregateType;
  aggregateId: string;
  /** 1, 2, 3, ... without gaps per aggregate. */
  sequence: number;
  /** `<resource>.<past participle>`, for example `virtualAccount.suspended`. */
  type: string;
  /** Version of the shape of `data`. */
  version: 1;
  /** On the one clock. */
  occurredAt: Date;
  requestId: string;
  data: Data;
  /** `slotOf`; absent in events of before the log was cut into slots. */
  slot?: number;
  /** Place among the events of its slot, in commit order, given by the outbox worker; null until then. Position given means: delivery rows exist. */
  position: number | null;
}

export type NewEvent<Data = Record<string, unknown>> = Omit<EventRecord<Data>, 'position' | 'slot'> & {
  /** Where all events of the aggregate lie, should its merchant change; else `slotOf`. */
  slot?: number;
};

/** Of an event of theirs: it tells the slot. */
export function newEventId(owner: Pick<NewEvent, 'merchantId' | 'accountId'>): string {
  return newOrderedId(slotOf(owner));
}

/** As an event lies in the log until the outbox worker gives it its place. */
export function placeless(event: NewEvent): EventRecord {
  return { ...event, slot: event.slot ?? slotOf(event), position: null };
}

export interface InsertWrite {
  collection: string;
  document: { _id: string } & Record<string, unknown>;
  /** A collection in which the document's `_id`, `environment` and `at` are noted by the same transaction, for whoever has work with it later. */
  mark?: string;
  /** What the log tells of it. */
  event?: NewEvent;
}

/** A conditional write: it must match exactly one document, else the whole unit fails with a WriteConflict. */
export interface UpdateWrite {
  collection: string;
  filter: Record<string, unknown>;
  update: UpdateFilter<Document>;
  /** A member that this write alone sets so, as an id made for it: by it one sees afterwards whether it matched, and it may travel with strangers. */
  sign?: { member: string; value: string };
}

/** A conditional removal, which is held to the same. */
export type RemovalWrite = Pick<UpdateWrite, 'collection' | 'filter'>;

/** All that one use case changes, as data: computed first, committed at once, safe to repeat as a whole. */
export interface UnitOfWork {
  inserts?: InsertWrite[];
  updates?: UpdateWrite[];
  removals?: RemovalWrite[];
  events?: NewEvent[];
}

/** Several units as one. */
export function together(...units: (UnitOfWork | undefined)[]): UnitOfWork {
  return {
    inserts: units.flatMap((unit) => unit?.inserts ?? []),
    updates: units.flatMap((unit) => unit?.updates ?? []),
    removals: units.flatMap((unit) => unit?.removals ?? []),
    events: units.flatMap((unit) => unit?.events ?? []),
  };
}

/** A conditional update found another state or version than the one read: reload and decide again. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
}

/** A unique index refused an insert; `collection` tells which. */
export class DuplicateKey extends Error {
  override readonly name = 'DuplicateKey';
  constructor(
    readonly collection: string,
    readonly keyPattern: Record<string, unknown>,
  ) {
    super(`duplicate key in ${collection}`);
  }
}

/** Commits one unit; resolves after the majority and journal acknowledgement, rejects with WriteConflict, DuplicateKey or DomainError('unavailable'). */
export type InTransaction = (unit: UnitOfWork) => Promise<void>;

/** How often a use case reloads and decides again before it answers `conflict`. */
export const conflictRetriesMax = 5;
