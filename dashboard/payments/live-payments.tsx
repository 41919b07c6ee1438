// New and changed payments, as they happen: those of the chosen merchant, or of every merchant while they are few.
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type AskError, useEvents } from '../graph/ask';
import { connectionState, watchConnection } from '../graph/client';
import { useMerchants } from '../shell/merchants';
import { useMay } from '../shell/viewer';
import { words } from '../strings/language';
import style from './payments.module.css';
import { PaymentEvents, type PaymentFilter, type PaymentRowFragment } from './queries';

/** Each merchant is a subscription of its own, until the graph follows them all by one. */
const followedMost = 10;
const freshMs = 2_400;

export interface LivePayments {
  /** How many merchants are followed; 0: too many to follow, one has to be chosen. */
  followed: number;
  fresh: ReadonlySet<string>;
  error: AskError | null;
}

export function useLivePayments(
  filter: PaymentFilter,
  put: (row: PaymentRowFragment) => void,
  again: () => void,
): LivePayments {
  const mayListen = useMay('events:read');
  const { merchants, hasMore } = useMerchants();
  const few = hasMore || merchants.length > followedMost ? [] : merchants.map(({ merchantId }) => merchantId);
  const chosen = !mayListen ? [] : filter.merchantId ? [filter.merchantId] : few;
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const show = useCallback((paymentId: string) => {
    setFresh((before) => new Set(before).add(paymentId));
    setTimeout(() => setFresh((before) => new Set([...before].filter((each) => each !== paymentId))), freshMs);
  }, []);
  const error = useEvents(
    PaymentEvents,
    chosen.map((merchantId) => ({ merchantId, after: null })),
    ({ operationEvents: { type, payment } }) => {
      // Events that are no longer kept: the list itself is read anew.
      if (type === 'GAP') return again();
      if (!payment || !matches(filter, payment)) return;
      put(payment);
      show(payment.paymentId);
    },
  );
  useReadOnceLive(again);
  return { followed: chosen.length, fresh, error };
}

/** What happened between reading the list and the first moment of the connection is in neither: the list is read once more then. */
function useReadOnceLive(again: () => void): void {
  const state = useSyncExternalStore(watchConnection, connectionState);
  const hasRead = useRef(false);
  const read = useRef(again);
  read.current = again;
  useEffect(() => {
    if (state !== 'live' || hasRead.current) return;
    hasRead.current = true;
    read.current();
  }, [state]);
}

/** As the graph judges by the same filter; what it cannot tell by the row it leaves out. */
function matches(
  { state, orderId, merchantId, currency, family }: PaymentFilter,
  payment: PaymentRowFragment,
): boolean {
  const is = (wanted: string | null | undefined, actual: string | null) => !wanted || wanted === actual;
  return (
    is(state, payment.state) &&
    is(orderId, payment.orderId) &&
    is(merchantId, payment.merchant.merchantId) &&
    is(currency, payment.currency) &&
    is(family, payment.family)
  );
}

export function FollowState({ live: { followed, error } }: { live: LivePayments }) {
  const text = words().payments;
  if (error) return <span className={style.follow}>{text.followRefused}</span>;
  return <span className={style.follow}>{followed === 0 ? text.followNone : text.followed(followed)}</span>;
}
