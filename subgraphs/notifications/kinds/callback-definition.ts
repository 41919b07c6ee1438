// What makes a kind of callback: everything that the platform asks about it, in one value.
import type { Sealed } from '../../shared/crypto/vault';
import type { EventRecord } from '../../shared/store/unit-of-work';

export interface CallbackDefinition {
  /** What readers of the graph are told about it. */
  description: string;
  /** Null: the event is no callback of that kind; several: each goes to an address of its own. A throw is a defect of the event; the worker records it and goes on. */
  build(event: EventRecord): CallbackContent | readonly CallbackContent[] | null;
  /**
   * Of a kind whose address comes with each event: where one would have gone that no body could be made of. Null: it goes to the one address of
   * the account.
   */
  givenAddresses: ((event: EventRecord) => string[]) | null;
  /** What its ordering key is the id of; null: of nothing that the graph shows beside it. */
  subject: 'virtualAccount' | 'operation' | 'application' | null;
  policy: RetryPolicy;
}

/** Beside the published schedule, which is one for all kinds. */
export interface RetryPolicy {
  /** After that many attempts a 4XX that means no parks the callback; null: a 4XX is retried like everything else. */
  parkClientErrorsAfter: number | null;
  /** A 410 disables the endpoint until somebody enables it, of an address that a callback has for itself ends that one; otherwise it parks the one callback at once. */
  goneDisablesEndpoint: boolean;
}

/** Stands in a frozen body where the security token goes; the body's own first members are ours, so its first appearance is the place. */
export const securityTokenMark = '{securityToken}';

/** What a kind makes of an event, once for each address that is told. */
export interface CallbackContent {
  path: string;
  headers: Record<string, string>;
  body: string;
  orderingKey: string;
  /** Of the kinds whose address comes with each event. */
  address?: string;
  securityToken?: Sealed;
  authorization?: Sealed;
}
