// How wide something is, as it is now.
import { type RefObject, useLayoutEffect, useState } from 'react';

/** In pixels; `isThere`: whether what is measured is drawn. */
export function useRoom(of: RefObject<HTMLElement | null>, isThere: boolean): number {
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const element = of.current;
    if (!isThere || !element) return;
    const measure = () => setRoom(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [of, isThere]);
  return room;
}
