// A virtual account: what is kept of a tokenized card, and what each lifecycle trigger makes of it (tokenization interface, Virtual account).
import type { Environment, TokenizationIdentifiers } from '../../shared/callers/caller';
import { withoutUndefined } from '../../shared/present-members';
import { monthIndex } from '../token-service/account-data';
import { type LifecycleTrigger, lifecycle, type VirtualAccountEventType, type VirtualAccountState } from './lifecycle';

/** Everything about an account that may leave the vault: masks, never numbers. */
export interface VirtualAccount extends TokenizationIdentifiers {
  virtualAccountId: string;
  environment: Environment;
  /** The tenant. */
  accountId: string;
  /** Acquirer merchant identifier. */
  merchantId: string;
  agreementId: string;
  state: VirtualAccountState;
  /** 29 upper-case alphanumerics, once the token service provider has assigned it. */
  par: string | null;
  accountMasked: string;
  /** MMYYYY. */
  accountExpiry: string;
  tokenMasked: string;
  /** MMYYYY. */
  tokenExpiry: string;
  /** Of the deletion. */
  reasonCode: string | null;
  createdAt: Date;
  updatedAt: Date;
  /** Saved with every lifecycle change; the filter of the next one. */
  version: number;
  /** Sequence of the last event. */
  sequence: number;
}

type CardChange = 'cardNumber' | 'cardExpiry' | 'par' | 'tokenExpiry';

/** `data` of every virtualAccount event: enough to build the outbound notification from the event alone. */
export interface VirtualAccountEventData extends TokenizationIdentifiers {
  virtualAccountId: string;
  merchantId: string;
  agreementId: string;
  state: VirtualAccountState;
  accountMasked: string;
  accountExpiry: string;
  accountPar?: string;
  tokenMasked: string;
  tokenExpiry: string;
  /** The strongest value that the notification can carry: anything but ACTIVE is SUSPENDED. */
  tokenStatus: 'ACTIVE' | 'SUSPENDED';
  reasonCode?: string;
  by?: 'caller' | 'issuer';
  changes?: CardChange[];
}

/** The facts that a card update brings along. */
export type CardFacts = Pick<VirtualAccount, 'accountMasked' | 'accountExpiry' | 'par' | 'tokenExpiry'>;

export interface LifecycleChange {
  trigger: LifecycleTrigger;
  by: 'caller' | 'issuer';
  /** Only of a deletion. */
  reasonCode?: string;
  /** Only of a card update. */
  card?: Partial<CardFacts>;
  at: Date;
}

export interface LifecycleDecision {
  next: VirtualAccount;
  event: { type: VirtualAccountEventType; data: VirtualAccountEventData };
}

/** What a trigger makes of the account, by the lifecycle table; null when there is no such arrow or nothing would differ. */
export function decideLifecycle(account: VirtualAccount, change: LifecycleChange): LifecycleDecision | null {
  const transition = lifecycle[account.state][change.trigger];
  if (!transition) return null;
  const changes = changesOf(account, change.card ?? {});
  if (transition.event === 'virtualAccount.cardUpdated' && changes.length === 0) return null;
  const next: VirtualAccount = {
    ...account,
    ...change.card,
    state: transition.to,
    reasonCode: change.reasonCode ?? account.reasonCode,
    updatedAt: change.at,
    version: account.version + 1,
    sequence: account.sequence + 1,
  };
  const data = {
    ...eventData(next),
    by: change.by,
    ...withoutUndefined({
      reasonCode: change.reasonCode || undefined,
      changes: changes.length > 0 ? changes : undefined,
    }),
  };
  return { next, event: { type: transition.event, data } };
}

/** What its caller's sending a card again makes of the account: a later expiry counts; null for the same or an older one, which a late repeat brings. */
export function decideRenewal(account: VirtualAccount, accountExpiry: string, at: Date): LifecycleDecision | null {
  if (monthIndex(accountExpiry) <= monthIndex(account.accountExpiry)) return null;
  return decideLifecycle(account, { trigger: 'EXTEND_EXPIRY', by: 'caller', card: { accountExpiry }, at });
}

/** The common part of every event's data. */
export function eventData(account: VirtualAccount): VirtualAccountEventData {
  const { virtualAccountId, merchantId, acquirerId, providerId, pspId, agreementId } = account;
  const { state, par, accountMasked, accountExpiry, tokenMasked, tokenExpiry } = account;
  return {
    virtualAccountId,
    merchantId,
    acquirerId,
    providerId,
    pspId,
    agreementId,
    state,
    accountMasked,
    accountExpiry,
    ...withoutUndefined({ accountPar: par || undefined }),
    tokenMasked,
    tokenExpiry,
    tokenStatus: state === 'ACTIVE' ? 'ACTIVE' : 'SUSPENDED',
  };
}

/** First six, stars, last four (tokenization interface, outbound notification; our choice of mask). */
export function mask(number: string): string {
  return `${number.slice(0, 6)}${'*'.repeat(Math.max(0, number.length - 10))}${number.slice(-4)}`;
}

const changeNames: readonly [keyof CardFacts, CardChange][] = [
  ['accountMasked', 'cardNumber'],
  ['accountExpiry', 'cardExpiry'],
  ['par', 'par'],
  ['tokenExpiry', 'tokenExpiry'],
];

function changesOf(account: VirtualAccount, card: Partial<CardFacts>): CardChange[] {
  return changeNames
    .filter(([fact]) => card[fact] !== undefined && card[fact] !== account[fact])
    .map(([, name]) => name);
}
