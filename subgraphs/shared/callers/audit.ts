// What a domain records of a change that somebody made: who, what, from what, to what. Access keeps the records; the composition hands the function in.

import type { InsertWrite } from '../store/unit-of-work';
import type { AuditAction, LookedAt, RefusalAction } from '../vocabulary/audit-action';
import type { Caller } from './caller';
import type { AddressOf } from './caller-address';
import type { RequestContext } from './context';

/** What was done, in words and ids: never a secret, a hash of one, or card data. */
export interface AuditedChange {
  action: AuditAction;
  /** Of what is recorded once only: it is refused with DuplicateKey the second time. A new one unless said. */
  auditId?: string;
  subjectType: string;
  subjectId: string;
  /** Who the caller says it is, where a document asks for that; the principal stands beside it as `actor`. */
  claimedActor?: string;
  /** The account whose thing was changed; null for the platform's own. */
  accountId: string | null;
  /** Whose it is, where that is known and not the subject itself: only its event tells it. */
  merchantId?: string | null;
  changes: { field: string; from: string | null; to: string | null }[];
  /** How many it stands for; one unless said. */
  count?: number;
}

/** The record of a change, as a write of the change's own unit of work: neither is without the other. */
export type RecordChange = (
  context: Pick<RequestContext, 'caller' | 'requestId' | 'address'>,
  change: AuditedChange,
) => InsertWrite;

/** Somebody looked at what is personal or secret, unmasked. */
export type AuditedLook = Pick<AuditedChange, 'subjectId' | 'accountId'> & { subjectType: LookedAt };

/** Records a look before its answer is given; rejects when that cannot be done, and then nothing may be shown. */
export type RecordLook = (context: RequestContext, look: AuditedLook) => Promise<void>;

/** Somebody takes a whole list away as a file. */
export interface AuditedExport {
  /** Its place in the graph, for example `payments`. */
  list: string;
  format: string;
  /** What it was narrowed by, by the names of arguments. */
  filter: Record<string, unknown>;
}

/** Records an export before its first row leaves; rejects when that cannot be done, and then none may. */
export type RecordExport = (context: RequestContext, exported: AuditedExport) => Promise<void>;

/** Something that an entrance refused. */
export interface Refused {
  action: RefusalAction;
  requestId: string;
  address: string;
  /** Null: the credential was wrong, so nobody is known. */
  caller: Pick<Caller, 'credentialId' | 'accountId'> | null;
  claimedActor?: string;
  /** `surface`, `route` or `operation`, and its name. */
  subjectType: string;
  subjectId: string;
}

/** Never waits and never throws; what is alike within a minute is counted. */
export type NoteRefusal = (refused: Refused) => void;

/** What an entrance tells the audit. */
export interface AuditDoor {
  addressOf: AddressOf;
  note: NoteRefusal;
}
