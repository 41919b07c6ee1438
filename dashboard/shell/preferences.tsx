// How a person wants the dashboard: kept in this browser, applied before anything is drawn.
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import type { AskError } from '../graph/ask';
import { useTakenBack } from '../graph/at-once';
import { client } from '../graph/client';
import { isScreenLanguage, loadLanguage, preferredLanguage, type ScreenLanguage } from '../strings/language';
import { type AllPreferencesFragment, SavePreferences, type SavePreferencesMutationVariables } from './queries';

export interface ScreenPreferences {
  theme: 'system' | 'light' | 'dark';
  density: 'compact' | 'comfortable';
  language: ScreenLanguage;
  timeZone: string;
}

const place = 'preferences';

function restored(): ScreenPreferences {
  const kept = read();
  return {
    theme: kept.theme === 'light' || kept.theme === 'dark' ? kept.theme : 'system',
    density: kept.density === 'comfortable' ? 'comfortable' : 'compact',
    language: isScreenLanguage(kept.language) ? kept.language : preferredLanguage(),
    timeZone: kept.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

function read(): Partial<ScreenPreferences> {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}') as Partial<ScreenPreferences>;
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
  await apply(restored());
}

interface Kept {
  preferences: ScreenPreferences;
  /** The person's own choice, kept everywhere; as before when the graph does not keep it, with the reason. */
  change(next: Partial<ScreenPreferences>): Promise<AskError | null>;
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
  const [preferences, setPreferences] = useState(restored);
  const take = useCallback((next: Partial<ScreenPreferences>) => {
    const whole = { ...restored(), ...next };
    localStorage.setItem(place, JSON.stringify(whole));
    void apply(whole).then(() => setPreferences(whole));
    return whole;
  }, []);
  const change = useCallback(
    async (next: Partial<ScreenPreferences>) => {
      const before = restored();
      const input = inGraph(take(next));
      const { error } = await client.mutation(SavePreferences.text, { input }).toPromise();
      if (!error) return null;
      // What was changed once more meanwhile stays.
      const now = restored();
      const kept = Object.entries(next).filter(([key, value]) => now[key as keyof ScreenPreferences] === value);
      take(Object.fromEntries(kept.map(([key]) => [key, before[key as keyof ScreenPreferences]])));
      return error;
    },
    [take],
  );
  const adopt = useCallback((kept: AllPreferencesFragment) => void take(fromGraph(kept)), [take]);
  return (
    <PreferencesContext value={{ preferences, change, adopt }}>
      {children(`${preferences.language} ${preferences.timeZone} ${preferences.density}`)}
    </PreferencesContext>
  );
}

/** The same as somebody does it at a screen: told when it is taken back. */
export function useChangePreferences(): (next: Partial<ScreenPreferences>) => void {
  const { change } = usePreferences();
  const takenBack = useTakenBack();
  return useCallback((next) => void change(next).then((error) => error && takenBack(error)), [change, takenBack]);
}

const themes = { SYSTEM: 'system', LIGHT: 'light', DARK: 'dark' } as const;
const densities = { COMFORTABLE: 'comfortable', COMPACT: 'compact' } as const;

function inGraph({ theme, density, language, timeZone }: ScreenPreferences): SavePreferencesMutationVariables['input'] {
  return {
    theme: theme === 'system' ? 'SYSTEM' : theme === 'light' ? 'LIGHT' : 'DARK',
    density: density === 'compact' ? 'COMPACT' : 'COMFORTABLE',
    locale: language,
    timeZone,
  };
}

function fromGraph({ theme, density, locale, timeZone }: AllPreferencesFragment): Partial<ScreenPreferences> {
  const language = locale?.split('-')[0];
  const chosen: Partial<ScreenPreferences> = { theme: themes[theme], density: densities[density] };
  if (isScreenLanguage(language)) chosen.language = language;
  if (timeZone) chosen.timeZone = timeZone;
  return chosen;
}
