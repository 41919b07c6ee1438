// A button with a menu. What draws menus is fetched when somebody points at a button or comes to it: no screen waits for it.
import { type ReactNode, useId, useRef, useState } from 'react';
import { useToast } from '../../shell/toasts';
import { words } from '../../strings/language';
import style from '../kit.module.css';
import type { MenuPart } from './menu-part';

interface MenuButtonProps {
  className: string | undefined;
  /** Beside what everybody's menu has. */
  menuClassName?: string | undefined;
  /** Where what is inside says too little. */
  label?: string;
  title?: string | undefined;
  side?: 'top' | 'bottom';
  parts: readonly MenuPart[];
  children: ReactNode;
}

type Drawn = typeof import('./menu-list').MenuList;

let drawn: Drawn | null = null;

async function fetchDrawn(): Promise<Drawn> {
  drawn ??= (await import('./menu-list')).MenuList;
  return drawn;
}

/** Whoever then opens it is told if it cannot be fetched. */
const fetchEarly = () => void fetchDrawn().catch(() => null);

export function MenuButton(props: MenuButtonProps) {
  const { className, menuClassName = '', label, title, side = 'bottom', parts, children } = props;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const tell = useToast();
  const [MenuList, setMenuList] = useState<Drawn | null>(() => drawn);
  const [isOpen, setOpen] = useState(false);
  const [isByKeys, setByKeys] = useState(false);
  async function open(byKeys: boolean): Promise<void> {
    const found = await fetchDrawn().catch(() => null);
    if (!found) return tell(words().faults.network, 'bad');
    setMenuList(() => found);
    setByKeys(byKeys);
    setOpen(true);
  }
  return (
    <span className={style.menuHolder}>
      <button
        ref={button}
        id={id}
        type="button"
        className={className}
        title={title}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={fetchEarly}
        onFocus={fetchEarly}
        // A click without a pointer is a key.
        onClick={({ detail }) => (isOpen ? setOpen(false) : void open(detail === 0))}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          void open(true);
        }}
      >
        {children}
      </button>
      {MenuList ? (
        <MenuList
          button={button}
          labelledBy={id}
          className={menuClassName}
          side={side}
          parts={parts}
          isByKeys={isByKeys}
          isOpen={isOpen}
          setOpen={setOpen}
        />
      ) : null}
    </span>
  );
}
