// The cards of one column of the board: the newest as the board has them, and behind these as many pages as somebody asked for, read as one whenever the newest are read.
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { client } from '../graph/client';
import type { OnboardingStatus } from '../graph/contract';
import { useOnceBack } from '../graph/once-back';
import { oneAtATime } from '../graph/one-at-a-time';
import type { AskError } from '../graph/refusal-code';
import { type ApplicationCardFragment, type BoardColumnFragment, OnboardingColumn } from './queries';

/** Cards that are read at a time. */
export const cardsAtOnce = 50;

export interface ColumnCards {
  /** Null: not yet. */
  cards: readonly ApplicationCardFragment[] | null;
  hasMore: boolean;
  /** Why older ones could not be read; what is shown stands meanwhile. */
  error: AskError | null;
  /** Somebody waits for older ones. */
  isAsked: boolean;
  /** Reads another page of them. */
  older(): void;
}

interface State {
  pages: readonly BoardColumnFragment[];
  error: AskError | null;
  isAsked: boolean;
}

/** Pages of a column that somebody asked for: who comes back from another screen finds the board as it was left. */
const pagesAsked = new Map<OnboardingStatus, number>();

/** `newest`: its first page at the last reading of the board. */
export function useColumnCards(status: OnboardingStatus, newest: BoardColumnFragment | undefined): ColumnCards {
  const [state, setState] = useState<State>({ pages: [], error: null, isAsked: false });
  const { pages, error, isAsked } = state;
  const present = useRef({ newest, pages });
  present.current = { newest, pages };
  const read = useMemo(
    () =>
      oneAtATime(async () => {
        const now = present.current;
        if (!now.newest) return;
        // Behind other newest ones the places of all others are other ones, too.
        const whole = now.newest === now.pages[0] ? [...now.pages] : [now.newest];
        let last = whole.at(-1) ?? now.newest;
        while (whole.length < (pagesAsked.get(status) ?? 1) && last.pageInfo.hasNextPage) {
          const asked = { status, first: cardsAtOnce, after: last.pageInfo.endCursor ?? '' };
          const answer = await client
            .query(OnboardingColumn.text, asked, { requestPolicy: 'network-only' })
            .toPromise();
          if (!answer.data) return setState((before) => ({ ...before, error: answer.error ?? null, isAsked: false }));
          last = answer.data.onboardingApplications as BoardColumnFragment;
          whole.push(last);
        }
        setState({ pages: whole, error: null, isAsked: false });
      }),
    [status],
  );
  useLayoutEffect(() => {
    if (newest) void read();
  }, [newest, read]);
  useOnceBack(error, () => void read());
  return {
    cards: pages.length > 0 ? pages.flatMap(({ edges }) => edges.map(({ node }) => node)) : null,
    hasMore: pages.at(-1)?.pageInfo.hasNextPage ?? false,
    error,
    isAsked,
    older() {
      pagesAsked.set(status, pages.length + 1);
      setState((before) => ({ ...before, error: null, isAsked: true }));
      void read();
    },
  };
}
