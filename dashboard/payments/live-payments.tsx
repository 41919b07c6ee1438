// New and changed payments, as they happen: of every merchant that the person may see, by one subscription.
import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type AskError, useEvents } from '../graph/ask';
import { connectionState, watchConnection } from '../graph/client';
import type { Pages } from '../graph/pages';
import { Button } from '../kit/button';
import { printMoment } from '../kit/when';
import { type LiveRows, useLiveRows } from '../lists/live-rows';
import { typesOf } from '../live/feed-kinds';
import { ConnectionState } from '../shell/connection-state';
import { useMay } from '../shell/viewer';
import { words } from '../strings/language';
import style from './payments.module.css';
import { PaymentEvents, type PaymentFilter, type PaymentRowFragment } from './queries';

export interface LivePayments extends LiveRows<PaymentRowFragment> {
  mayListen: boolean;
  error: AskError | null;
}

const keyOf = ({ paymentId }: PaymentRowFragment) => paymentId;
const types = typesOf('payments');

export function useLivePayments(
  filter: PaymentFilter,
  pages: Pages<PaymentRowFragment>,
  isHeld: boolean,
): LivePayments {
  const mayListen = useMay('events:read');
  const rows = useLiveRows(pages, keyOf, isHeld);
  const merchantIds = filter.merchantId ? [filter.merchantId] : null;
  const asked = { filter: { types, merchantIds, results: null }, after: null };
  const error = useEvents(PaymentEvents, mayListen ? [asked] : [], ({ events }) => {
    if (events.type === 'GAP') return rows.miss();
    if (events.__typename !== 'OperationEvent' || !events.payment) return;
    rows.take(events.payment, matches(filter, events.payment));
  });
  useReadOnceLive(pages.again);
  return { ...rows, mayListen, error };
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

/** How the list is followed, and the button that holds it. */
export function FollowTools({ live: { mayListen, error, isPaused, setPaused, waiting } }: { live: LivePayments }) {
  const text = words();
  const awaySince = useAwaySince();
  if (!mayListen || error)
    return <span className={style.follow}>{error ? text.payments.followRefused : text.payments.followNone}</span>;
  return (
    <>
      {awaySince === null ? null : (
        <span className={style.follow}>{text.faults.stale(printMoment(awaySince, 'clock'))}</span>
      )}
      <ConnectionState />
      <Button onClick={() => setPaused(!isPaused)} aria-pressed={isPaused}>
        {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
        {isPaused ? text.live.resume(waiting) : text.live.pause}
      </Button>
    </>
  );
}

/** The moment when a connection that had been live broke, until it is back. */
function useAwaySince(): string | null {
  const state = useSyncExternalStore(watchConnection, connectionState);
  const [since, setSince] = useState<string | null>(null);
  useEffect(() => {
    if (state === 'live') setSince(null);
    else if (state === 'reconnecting' || state === 'ended') setSince((before) => before ?? new Date().toISOString());
  }, [state]);
  return since;
}

/** Over the list: what has come while the reader was further down. */
export function Newer({ live: { waiting, isPaused, show } }: { live: LivePayments }) {
  const isShown = waiting !== 0 && !isPaused;
  return (
    <div className={style.newer} role="status">
      {isShown ? (
        <Button look="primary" onClick={show}>
          {words().payments.newer(waiting)}
        </Button>
      ) : null}
    </div>
  );
}
