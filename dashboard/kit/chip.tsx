// A state as a word with a colour.
import { words } from '../strings/language';
import style from './kit.module.css';
import { type Tone, toneOf } from './tone';

interface ChipProps {
  state: string;
  tone?: Tone;
  /** What the state means, for whoever points at it. */
  hint?: string | undefined;
}

export function Chip({ state, tone = toneOf(state), hint }: ChipProps) {
  return (
    <span className={`${style.chip} ${style[tone]}`} title={hint}>
      {stateWord(state)}
    </span>
  );
}

/** The state in the person's language; a state that has no word yet is told as it is, with spaces. */
export function stateWord(state: string): string {
  const known = (words().states as Record<string, string>)[state];
  if (known) return known;
  const spaced = state
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
