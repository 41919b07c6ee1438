// Things over the page: a drawer at the side for one thing of a list, and a dialog that asks something. Both are the browser's own; nothing is injected, so the content rules hold.
import { X } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { useNameOpen } from '../shell/open-name';
import { isTyping } from '../shell/shortcuts';
import { words } from '../strings/language';
import { PlainButton } from './button';
import style from './kit.module.css';

interface DrawerProps {
  /** Which thing is open: another one takes the focus anew, and nothing that was begun with the last one is left. */
  of: string;
  title: string;
  /** What the thing itself is called, once that is known: stands in the title of the tab. */
  name?: string | null | undefined;
  actions?: ReactNode;
  onClose(): void;
  children: ReactNode;
}

/** The list behind it stays usable: keys go on choosing rows. */
export function Drawer({ of, title, name, actions, onClose, children }: DrawerProps) {
  const id = useId();
  useNameOpen(name ?? title);
  const { heading, remember } = useOwnFocus(of);
  const close = useRef(onClose);
  close.current = () => {
    remember();
    onClose();
  };
  useLayoutEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const isOverlaid = document.querySelector('dialog[open], [role="menu"]') !== null;
      if (event.key === 'Escape' && !isOverlaid && !isTyping(event)) close.current();
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <aside className={style.drawer} aria-labelledby={id}>
      <header className={style.drawerHead}>
        <h2 id={id} ref={heading} tabIndex={-1} className="ellipsis">
          {title}
        </h2>
        {actions}
        <PlainButton onClick={() => close.current()} aria-label={words().close}>
          <X aria-hidden />
        </PlainButton>
      </header>
      <section key={of} className={style.drawerBody} aria-label={words().details}>
        {children}
      </section>
    </aside>
  );
}

/** Where somebody may be in the middle of a word. */
const written = 'input:not([type="checkbox"]), textarea, select';

/** The row of what is open beside a list. */
const openRow = 'main [data-selected="true"] a';

let isLater = false;

/** What is open may stand in the path or in the search part, which the router writes in its own way. */
const placeOf = ({ pathname, search }: URL | Location) => `${pathname}?${new URLSearchParams(search)}`;

/** A page that comes with it open begins where pages begin. What was done on the page before in the same tab counts as done here. */
function cameOpen(): boolean {
  const [page] = performance.getEntriesByType('navigation');
  const came = !isLater && page !== undefined && placeOf(new URL(page.name)) === placeOf(location);
  isLater = true;
  return came;
}

/** The heading takes the focus, unless somebody types; at the end it goes to the row, as it was when it was remembered, or to what had it before. */
function useOwnFocus(of: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const row = useRef<HTMLElement | null>(null);
  const remember = useCallback(() => {
    row.current = document.querySelector<HTMLElement>(openRow) ?? row.current;
  }, []);
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const own = heading.current?.closest('aside');
    // Before it leaves the page, and only if nobody has gone elsewhere meanwhile.
    return () => {
      const at = document.activeElement;
      if (at !== document.body && !own?.contains(at)) return;
      const back = [row.current, before].find((element) => element?.isConnected && element !== document.body);
      back?.focus({ preventScroll: true });
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each thing that is opened
  useLayoutEffect(() => {
    const isOpenedHere = navigator.userActivation?.hasBeenActive !== false;
    if (!cameOpen() && isOpenedHere && !document.activeElement?.matches(written))
      heading.current?.focus({ preventScroll: true });
  }, [of]);
  useEffect(remember);
  return { heading, remember };
}

interface ModalProps {
  className: string | undefined;
  label: { 'aria-label': string } | { 'aria-labelledby': string };
  /** Null: it stays until what is in it takes it away. */
  onClose: (() => void) | null;
  children: ReactNode;
}

/** Where something is typed or chosen: what somebody opens a dialog for. */
const fields = 'input:enabled, textarea:enabled, select:enabled';

/** Keeps the focus inside, at first in the first field, and gives it back when it closes. */
export function Modal({ className, label, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  // Before it leaves the page: what is no longer in it gives no focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return undefined;
    const open = () => {
      element.showModal();
      // It chooses whatever takes the focus first, which need not be a field; React's `autoFocus` came before it opened.
      element.querySelector<HTMLElement>(fields)?.focus();
    };
    const cancel = (event: Event) => {
      event.preventDefault();
      close.current?.();
    };
    // Browsers let `cancel` be prevented once for each press or click: the next Esc closes it all the same.
    const closed = () => (close.current ? close.current() : open());
    // Only a press beside the dialog has the dialog itself as its target.
    const press = (event: Event) => event.target === element && close.current?.();
    open();
    element.addEventListener('cancel', cancel);
    element.addEventListener('close', closed);
    element.addEventListener('pointerdown', press);
    return () => {
      element.removeEventListener('close', closed);
      element.close();
    };
  }, []);
  return (
    <dialog ref={dialog} closedby={onClose ? undefined : 'none'} className={className} {...label}>
      {children}
    </dialog>
  );
}

interface DialogProps {
  title: string;
  hint?: ReactNode;
  onClose: (() => void) | null;
  children: ReactNode;
}

export function Dialog({ title, hint, onClose, children }: DialogProps) {
  const id = useId();
  return (
    <Modal className={style.dialog} label={{ 'aria-labelledby': id }} onClose={onClose}>
      <div className={style.dialogInside}>
        <h2 id={id}>{title}</h2>
        {hint ? <p className="soft">{hint}</p> : null}
        {children}
      </div>
    </Modal>
  );
}
