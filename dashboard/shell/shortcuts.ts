// Keys that work everywhere: the palette, and "g" with a letter for a screen.
import { useNavigate } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import { places } from './places';

const chordMs = 1_200;

export function useShortcuts(openPalette: () => void, openHelp: () => void): void {
  const navigate = useNavigate();
  const chordUntil = useRef(0);
  // With the screen itself: a key that is pressed as soon as it is seen counts.
  useLayoutEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        if (!isModalOpen()) openPalette();
        return;
      }
      if (isModalOpen()) return;
      if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return;
      if (event.key === '/') {
        event.preventDefault();
        openPalette();
        return;
      }
      if (event.key === '?') openHelp();
      const place = performance.now() < chordUntil.current && places.find(({ key }) => key === event.key);
      chordUntil.current = event.key === 'g' ? performance.now() + chordMs : 0;
      if (place) void navigate({ to: place.path as '/' });
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate, openPalette, openHelp]);
}

const isOfApple = /mac|iphone|ipad/i.test(navigator.platform);

/** What opens the palette, as the keys are called on this machine. */
export const paletteKeys: readonly [held: string, pressed: string] = [isOfApple ? '⌘' : 'Ctrl', 'K'];

/** What is open over the page has all keys: nothing behind it moves, and nothing takes it away. */
export function isModalOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

/** Letters belong to whoever is writing. */
export function isTyping({ target }: Event): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
