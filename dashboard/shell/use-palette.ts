// The palette, fetched a moment after the first screen: whoever opens it finds it there.
import { useEffect, useState } from 'react';

type PaletteType = typeof import('../palette/palette')['Palette'];

/** The screen itself comes first. */
const afterScreenMs = 500;

/** Null until it is there; in vain, it is tried again when it is wanted. */
export function usePalette(isWanted: boolean): PaletteType | null {
  const [found, setFound] = useState<PaletteType | null>(null);
  useEffect(() => {
    if (found) return;
    const load = () =>
      import('../palette/palette').then(
        ({ Palette }) => setFound(() => Palette),
        () => undefined,
      );
    const timer = setTimeout(() => void load(), isWanted ? 0 : afterScreenMs);
    return () => clearTimeout(timer);
  }, [found, isWanted]);
  return found;
}
