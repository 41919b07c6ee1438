// Reads again what a screen shows whenever something of a kind happens: for screens that are whole at each reading.

import { useEffect, useRef } from 'react';
import { useEvents } from '../graph/ask';
import { type EventFilter } from '../graph/contract';
import { useMay } from '../shell/viewer';
import { type ShownFeedKind, typesOf } from './feed-kinds';
import { Happened } from './queries';
import { useReadUnheard } from './unheard';

/** Many things at once are one reading. */
const pauseMs = 500;

export function useReadOn(kind: ShownFeedKind, again: () => void): void {
  useReadOnEvents({ types: typesOf(kind) }, useMay('events:read'), again);
}

/** The same of acts of the audit on a merchant. */
export function useReadOnActs(actions: readonly string[], merchantId: string, again: () => void): void {
  const mayListen = [useMay('events:read'), useMay('audit:read')].every(Boolean);
  useReadOnEvents({ actions: [...actions], merchantIds: [merchantId] }, mayListen, again);
}

function useReadOnEvents(filter: EventFilter, mayListen: boolean, again: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const read = useRef(again);
  read.current = again;
  const hear = useReadUnheard(JSON.stringify(filter), () => read.current());
  useEvents(Happened, mayListen ? [{ filter, after: null }] : [], () => {
    hear();
    timer.current ??= setTimeout(() => {
      timer.current = null;
      read.current();
    }, pauseMs);
  });
  useEffect(
    () => () => {
      if (timer.current) clearTimeout(timer.current);
    },
    [],
  );
}
