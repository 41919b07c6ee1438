// Acts of which nobody doubts the outcome are shown at once, and as it was before with the reason when the graph refuses them. Never money: that is shown when it has moved.
import { useCallback, useRef, useState } from 'react';
import { sayRefusal } from '../kit/refusal-word';
import { useToast } from '../shell/toasts';
import { words } from '../strings/language';
import type { ActOutcome } from './ask';
import type { AskError } from './refusal-code';

/** `act` shows `next` while it runs, and then until the graph tells something newer; answers why it was refused. */
export interface AtOnce<Shown> {
  shown: Shown;
  act(next: Shown, run: () => Promise<ActOutcome<unknown>>): Promise<AskError | null>;
}

type Guess<Shown> = { of: string; next: Shown } & ({ isRunning: true } | { isRunning: false; told: Shown });

/** `of`: which thing it is; what is shown of one before its answer is shown of no other. */
export function useAtOnce<Shown>(told: Shown, of: string): AtOnce<Shown> {
  const [guess, setGuess] = useState<Guess<Shown> | null>(null);
  const present = useRef({ told, of });
  present.current = { told, of };
  const act = useCallback(async (next: Shown, run: () => Promise<ActOutcome<unknown>>) => {
    const mine = { of: present.current.of, next, isRunning: true } as const;
    setGuess(mine);
    const { error } = await run();
    const now = present.current;
    // What comes while it runs may have been asked before it began; what comes from now on is newer.
    const kept = error || now.of !== mine.of ? null : ({ of: now.of, next, isRunning: false, told: now.told } as const);
    setGuess((shown) => (shown === mine ? kept : shown));
    return error;
  }, []);
  return { shown: guess?.of === of && (guess.isRunning || guess.told === told) ? guess.next : told, act };
}

/** Says that something is shown as before, and why. */
export function useTakenBack(): (error: AskError) => void {
  const tell = useToast();
  return useCallback((error) => tell(words().faults.takenBack(sayRefusal(error)), 'bad'), [tell]);
}
