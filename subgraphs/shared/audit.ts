// What a domain records of a change that somebody made: who, what, from what, to what. Access keeps the records; the composition hands the function in.
import type { RequestContext } from './context';
import type { InsertWrite } from './outbox';

/** What was done, in words and ids: never a secret, a hash of one, or card data. */
export interface AuditedChange {
  /** `<resource>.<past participle>`, for example `client.disabled`. */
  action: string;
  subjectType: string;
  subjectId: string;
  /** Who the caller says it is, where a document asks for that; the principal stands beside it as `actor`. */
  claimedActor?: string;
  /** The account whose thing was changed; null for the platform's own. */
  accountId: string | null;
  changes: { field: string; from: string | null; to: string | null }[];
}

/** The record of a change, as a write of the change's own unit of work: neither is without the other. */
export type RecordChange = (
  context: Pick<RequestContext, 'caller' | 'requestId' | 'address'>,
  change: AuditedChange,
) => InsertWrite;
