// How a person wants the dashboard: what was chosen is kept in this browser and applied before anything is drawn, the rest is as the browser has it.
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { useTakenBack } from '../graph/at-once';
import { client } from '../graph/client';
import type { AskError } from '../graph/refusal-code';
import { isScreenLanguage, loadLanguage, preferredLanguage, type ScreenLanguage } from '../strings/language';
import { type AllPreferencesFragment, SavePreferences, type SavePreferencesMutationVariables } from './queries';

export interface ScreenPreferences {
  theme: 'system' | 'light' | 'dark';
  density: 'compact' | 'comfortable';
  language: ScreenLanguage;
  timeZone: string;
}

const place = 'preferences';

type Chosen = Partial<ScreenPreferences>;

function whole(kept: Chosen): ScreenPreferences {
  return {
    theme: kept.theme === 'light' || kept.theme === 'dark' ? kept.theme : 'system',
    density: kept.density === 'comfortable' ? 'comfortable' : 'compact',
    language: isScreenLanguage(kept.language) ? kept.language : preferredLanguage(),
    timeZone: kept.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

function read(): Chosen {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}') as Chosen;
  } catch {
    // Somebody else wrote there; the person's own choice is not to be known.
    return {};
  }
}

/** Colours and density at once, words when they are loaded. */
async function apply({ theme, density, language, timeZone }: ScreenPreferences): Promise<void> {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  dataset['density'] = density;
  await loadLanguage(language, timeZone);
}

export async function restorePreferences(): Promise<void> {
  await apply(whole(read()));
}

interface Kept {
  preferences: ScreenPreferences;
  /** The person's own choice, kept everywhere; as before when the graph does not keep it, with the reason. */
  change(next: Chosen): Promise<AskError | null>;
  /** Takes over what the graph keeps of the person. */
  adopt(kept: AllPreferencesFragment): void;
}

const PreferencesContext = createContext<Kept>({
  preferences: { theme: 'system', density: 'compact', language: 'en', timeZone: 'UTC' },
  change: async () => null,
  adopt: () => undefined,
});

export const usePreferences = () => useContext(PreferencesContext);

/** Draws everything anew when words, zone or density change: they are asked for wherever they are needed. */
export function PreferencesProvider({ children }: { children(key: string): ReactNode }) {
  const [preferences, setPreferences] = useState(() => whole(read()));
  const keep = useCallback((chosen: Chosen) => {
    const next = whole(chosen);
    localStorage.setItem(place, JSON.stringify(chosen));
    void apply(next).then(() => setPreferences(next));
  }, []);
  const change = useCallback(
    async (next: Chosen) => {
      const before = read();
      keep({ ...before, ...next });
      const { error } = await client.mutation(SavePreferences.text, { input: inGraph(next) }).toPromise();
      if (!error) return null;
      // What was changed once more meanwhile stays.
      const now = read();
      const keys = (Object.keys(next) as (keyof Chosen)[]).filter((key) => now[key] === next[key]);
      keep({ ...now, ...Object.fromEntries(keys.map((key) => [key, before[key]])) });
      return error;
    },
    [keep],
  );
  const adopt = useCallback((kept: AllPreferencesFragment) => keep(fromGraph(kept)), [keep]);
  return (
    <PreferencesContext value={{ preferences, change, adopt }}>
      {children(`${preferences.language} ${preferences.timeZone} ${preferences.density}`)}
    </PreferencesContext>
  );
}

/** The same as somebody does it at a screen: told when it is taken back. */
export function useChangePreferences(): (next: Chosen) => void {
  const { change } = usePreferences();
  const takenBack = useTakenBack();
  return useCallback((next) => void change(next).then((error) => error && takenBack(error)), [change, takenBack]);
}

const themes = { SYSTEM: 'system', LIGHT: 'light', DARK: 'dark' } as const;
const densities = { COMFORTABLE: 'comfortable', COMPACT: 'compact' } as const;
const inGraphs = {
  theme: { system: 'SYSTEM', light: 'LIGHT', dark: 'DARK' },
  density: { comfortable: 'COMFORTABLE', compact: 'COMPACT' },
} as const;

/** What was not chosen is absent: the graph leaves that as it is. */
function inGraph({ theme, density, language, timeZone }: Chosen): SavePreferencesMutationVariables['input'] {
  return {
    theme: theme && inGraphs.theme[theme],
    density: density && inGraphs.density[density],
    locale: language,
    timeZone,
  };
}

function fromGraph({ theme, density, locale, timeZone }: AllPreferencesFragment): Chosen {
  const language = locale?.split('-')[0];
  const chosen: Chosen = { theme: themes[theme], density: densities[density] };
  if (isScreenLanguage(language)) chosen.language = language;
  if (timeZone) chosen.timeZone = timeZone;
  return chosen;
}
