// The feed of events: gathered as they come, shown a few times a second, held back while paused, and never more than memory bears.
import { useEffect, useRef, useState } from 'react';
import { useEvents } from '../graph/ask';
import { stateWord } from '../kit/chip';
import { shortCard } from '../kit/masked';
import { printMoney } from '../kit/money';
import { words } from '../strings/language';
import { LiveOperations, type LiveOperationsSubscription, LiveTokens, type LiveTokensSubscription } from './queries';

export interface FeedItem {
  id: string;
  at: string;
  kind: 'payments' | 'tokens' | 'gap';
  what: string;
  /** The state that it led to, when it has one. */
  state: string | null;
  amount: string | null;
  about: string;
  merchant: string;
  href: string | null;
}

const keptMost = 5_000;
const showEveryMs = 120;

export function useFeed(merchantIds: readonly string[], isPaused: boolean) {
  const [items, setItems] = useState<readonly FeedItem[]>([]);
  const [waiting, setWaiting] = useState(0);
  const held = useRef<FeedItem[]>([]);
  const paused = useRef(isPaused);
  paused.current = isPaused;
  const hear = (item: FeedItem) => {
    held.current.push(item);
    if (held.current.length > keptMost) held.current.shift();
  };
  const wanted = merchantIds.map((merchantId) => ({ merchantId, after: null }));
  const refusedOperations = useEvents(LiveOperations, wanted, (answer) => hear(operationItem(answer)));
  const refusedTokens = useEvents(LiveTokens, wanted, (answer) => hear(tokenItem(answer)));
  useEffect(() => {
    const timer = setInterval(() => {
      if (held.current.length === 0) return;
      if (paused.current) return setWaiting(held.current.length);
      const fresh = held.current.reverse();
      held.current = [];
      setWaiting(0);
      setItems((before) => [...fresh, ...before].slice(0, keptMost));
    }, showEveryMs);
    return () => clearInterval(timer);
  }, []);
  return { items, waiting, error: refusedOperations ?? refusedTokens, clear: () => setItems([]) };
}

function operationItem({ operationEvents: event }: LiveOperationsSubscription): FeedItem {
  const { eventId, occurredAt, operation, payment, merchant } = event;
  if (event.type === 'GAP') return gapItem(eventId, occurredAt);
  return {
    id: eventId,
    at: occurredAt,
    kind: 'payments',
    what: stateWord(event.operationType ?? event.type),
    state: event.operationResult,
    amount: operation ? printMoney(operation.operationAmount, operation.operationCurrency) : null,
    about: payment?.orderId ?? payment?.paymentId ?? '',
    merchant: merchant?.name ?? '',
    href: payment ? `/payments/${payment.paymentId}` : null,
  };
}

function tokenItem({ tokenEvents: event }: LiveTokensSubscription): FeedItem {
  const { eventId, occurredAt, virtualAccount, merchant } = event;
  if (event.type === 'GAP') return gapItem(eventId, occurredAt);
  return {
    id: eventId,
    at: occurredAt,
    kind: 'tokens',
    what: words().tokens.one,
    state: event.type.replace('virtualAccount.', '').toUpperCase(),
    amount: null,
    about: virtualAccount ? shortCard(virtualAccount.accountMasked) : '',
    merchant: merchant?.name ?? '',
    href: virtualAccount ? `/tokens/${virtualAccount.virtualAccountId}` : null,
  };
}

function gapItem(id: string, at: string): FeedItem {
  const what = words().connection.gap;
  return {
    id: `gap ${id} ${at}`,
    at,
    kind: 'gap',
    what,
    state: null,
    amount: null,
    about: '',
    merchant: '',
    href: null,
  };
}
