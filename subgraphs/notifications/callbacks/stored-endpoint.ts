// A callback endpoint as it is kept, with the lease under which it is served.
import type { CallbackEndpoint } from './callback-endpoint';

export interface EndpointLeaseRecord {
  owner: string;
  /** Real time of the database; the epoch after an orderly release. */
  until: Date;
  fence: number;
  /** Counts who came while it was held: the holder looks again when it moved. */
  rings: number;
  /** True when the former holder vanished without a release: attempts may be left in flight. */
  isInherited: boolean;
  /** Present while attempts may be under way. */
  claims?: Claim[];
}

/** Attempts that were begun or are about to be, written down before anything is sent. */
export interface Claim {
  /** On the one clock; each of the callbacks was due by then, and is due later or closed once its attempt is recorded. */
  at: Date;
  callbackIds: string[];
}

export const freeLease: EndpointLeaseRecord = { owner: '', until: new Date(0), fence: 0, rings: 0, isInherited: false };

export type StoredEndpoint = Omit<CallbackEndpoint, 'endpointId'> & {
  _id: string;
  lease: EndpointLeaseRecord;
  /** Of its address; null without one, absent in endpoints of a release before. */
  origin?: string | null;
};

export function fromStored({ _id, lease: _lease, origin: _origin, ...rest }: StoredEndpoint): CallbackEndpoint {
  return { ...rest, endpointId: _id, addressKey: rest.addressKey ?? null };
}
