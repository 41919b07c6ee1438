// Acts of which nobody doubts the outcome are shown at once, and as it was before with the reason when the graph refuses them. Never money: that is shown when it has moved.
import { useCallback, useRef, useState } from 'react';
import { useToast } from '../shell/toasts';
import { words } from '../strings/language';
import { type AskError, codeOf, messageOf, type Outcome } from './ask';

/** `act` shows `next` until the graph tells something newer; answers why it was refused. */
export interface AtOnce<Shown> {
  shown: Shown;
  act(next: Shown, run: () => Promise<Outcome<unknown>>): Promise<AskError | null>;
}

export function useAtOnce<Shown>(told: Shown): AtOnce<Shown> {
  const [guess, setGuess] = useState<{ told: Shown; next: Shown } | null>(null);
  const present = useRef(told);
  present.current = told;
  const act = useCallback(async (next: Shown, run: () => Promise<Outcome<unknown>>) => {
    const mine = { told: present.current, next };
    setGuess(mine);
    const { error } = await run();
    if (error) setGuess((now) => (now === mine ? null : now));
    return error;
  }, []);
  return { shown: guess && guess.told === told ? guess.next : told, act };
}

/** Says that something is shown as before, and why. */
export function useTakenBack(): (error: AskError) => void {
  const tell = useToast();
  return useCallback(
    (error) => {
      const { takenBack, codes } = words().faults;
      const known: Partial<Record<string, string>> = codes;
      tell(takenBack(known[codeOf(error)] ?? messageOf(error)), 'bad');
    },
    [tell],
  );
}
