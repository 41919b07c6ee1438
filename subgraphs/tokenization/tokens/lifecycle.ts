// The life of a virtual account as one table (tokenization interface, States and transitions): code asks it, tests walk it, the guide prints it.

export const virtualAccountStates = ['ACTIVE', 'SUSPENDED', 'DELETED'] as const;
export type VirtualAccountState = (typeof virtualAccountStates)[number];

/** What the issuer or the network does; the caller may DELETE too, and EXTEND_EXPIRY by sending a renewed card again. */
export const lifecycleTriggers = [
  'SUSPEND',
  'RESUME',
  'REPLACE_CARD',
  'EXTEND_EXPIRY',
  'ASSIGN_PAR',
  'DELETE',
] as const;
export type LifecycleTrigger = (typeof lifecycleTriggers)[number];

export type VirtualAccountEventType =
  | 'virtualAccount.created'
  | 'virtualAccount.suspended'
  | 'virtualAccount.resumed'
  | 'virtualAccount.cardUpdated'
  | 'virtualAccount.deleted';

/** One arrow: the state it leads to and the event that tells. */
export interface Transition {
  to: VirtualAccountState;
  event: VirtualAccountEventType;
}

const suspended: Transition = { to: 'SUSPENDED', event: 'virtualAccount.suspended' };
const resumed: Transition = { to: 'ACTIVE', event: 'virtualAccount.resumed' };
const deleted: Transition = { to: 'DELETED', event: 'virtualAccount.deleted' };
const updatedActive: Transition = { to: 'ACTIVE', event: 'virtualAccount.cardUpdated' };
const updatedSuspended: Transition = { to: 'SUSPENDED', event: 'virtualAccount.cardUpdated' };

/** null: no such arrow, nothing changes and nothing is told. */
export const lifecycle: Readonly<Record<VirtualAccountState, Readonly<Record<LifecycleTrigger, Transition | null>>>> = {
  ACTIVE: {
    SUSPEND: suspended,
    RESUME: null,
    REPLACE_CARD: updatedActive,
    EXTEND_EXPIRY: updatedActive,
    ASSIGN_PAR: updatedActive,
    DELETE: deleted,
  },
  SUSPENDED: {
    SUSPEND: null,
    RESUME: resumed,
    REPLACE_CARD: updatedSuspended,
    EXTEND_EXPIRY: updatedSuspended,
    ASSIGN_PAR: updatedSuspended,
    DELETE: deleted,
  },
  DELETED: { SUSPEND: null, RESUME: null, REPLACE_CARD: null, EXTEND_EXPIRY: null, ASSIGN_PAR: null, DELETE: null },
};

/** Live accounts can be found by their card; a deleted one never again. */
export function isTokenLive(state: VirtualAccountState): boolean {
  return state !== 'DELETED';
}
