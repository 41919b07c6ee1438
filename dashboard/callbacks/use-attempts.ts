// Has an open callback read again when an attempt of it is told; the first one, of which nothing is told when it goes out as it should, is looked for.
import { useEffect, useRef } from 'react';
import { useEvents } from '../graph/ask';
import { typesOf } from '../live/feed-kinds';
import { useReadUnheard } from '../live/unheard';
import { useMay } from '../shell/viewer';
import { CallbackAttempts, type CallbackLifeQuery } from './queries';

type Life = NonNullable<CallbackLifeQuery['callback']>;

const lookEveryMs = 3_000;

export function useAttempts(callback: Life | null | undefined, again: () => void): void {
  const mayListen = useMay('events:read');
  const merchantId = callback?.merchant?.merchantId;
  const filter = { types: typesOf('callbacks'), merchantIds: merchantId ? [merchantId] : null, results: null };
  const asked = mayListen && callback ? [{ filter, after: null }] : [];
  const hear = useReadUnheard(JSON.stringify(asked), (isFirst) => isFirst || again());
  useEvents(CallbackAttempts, asked, ({ events }) => {
    hear();
    const isOwn = events.__typename === 'CallbackAttemptEvent' && events.callback?.callbackId === callback?.callbackId;
    if (isOwn || events.type === 'GAP') again();
  });
  const isTold = mayListen && callback?.status === 'PENDING' && callback.attempts.length > 0;
  const isOpen = callback?.status === 'PENDING' || callback?.status === 'SENDING';
  useLook(isOpen && !isTold, again);
}

/** Every few seconds while somebody sees it. */
function useLook(isOn: boolean, again: () => void): void {
  const look = useRef(again);
  look.current = again;
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && look.current(), lookEveryMs);
    return () => clearInterval(timer);
  }, [isOn]);
}
