// What had the focus and leaves the page, as a button does whose act is done, leaves it to the heading of what it was a part of; of a list the rows come and go, and leave it to nobody.

/** Until it is called off. */
export function followLostFocus(): () => void {
  let last: Element | null = null;
  let home: Element | null = null;
  const note = ({ target }: FocusEvent) => {
    const taken = target as Element;
    last = taken.closest('table') ? null : taken;
    home = taken.closest('dialog, aside');
  };
  const observer = new MutationObserver(() => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    last = null;
    const heading = (home?.isConnected && home.querySelector('h2')) || document.querySelector('main aside h2, main h1');
    if (!(heading instanceof HTMLElement)) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  });
  document.addEventListener('focusin', note);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', note);
    observer.disconnect();
  };
}
