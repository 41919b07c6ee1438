// What a menu looks like and how keys move in it: Radix's, on a button of our own that is there before it.
import { Check } from 'lucide-react';
import { DropdownMenu as Menu } from 'radix-ui';
import { type RefObject, useEffect, useRef } from 'react';
import style from '../kit.module.css';
import type { MenuPart } from './menu-part';

interface MenuListProps {
  button: RefObject<HTMLButtonElement | null>;
  labelledBy: string;
  className: string;
  side: 'top' | 'bottom';
  parts: readonly MenuPart[];
  /** Then its first line has the focus. */
  isByKeys: boolean;
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
}

export function MenuList({ button, labelledBy, className, side, parts, isByKeys, isOpen, setOpen }: MenuListProps) {
  const content = useRef<HTMLDivElement>(null);
  /** Who presses somewhere else wants the focus there. */
  const isLeft = useRef(false);
  useEffect(() => {
    if (!isOpen || !isByKeys) return;
    const first = '[role^="menuitem"]:not([data-disabled])';
    const frame = requestAnimationFrame(() => content.current?.querySelector<HTMLElement>(first)?.focus());
    return () => cancelAnimationFrame(frame);
  }, [isOpen, isByKeys]);
  return (
    <Menu.Root modal={false} open={isOpen} onOpenChange={setOpen}>
      {/* Where it stands: the button itself opens it. */}
      <Menu.Trigger asChild>
        <span className={style.menuPlace} aria-hidden />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content
          ref={content}
          className={`${style.menu} ${className}`}
          aria-labelledby={labelledBy}
          side={side}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onInteractOutside={(event) => {
            // The button closes it by itself.
            if (button.current?.contains(event.target as Node)) event.preventDefault();
            else isLeft.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!isLeft.current) button.current?.focus();
            isLeft.current = false;
          }}
        >
          {parts.map((part) => (
            <Part key={part.key} part={part} />
          ))}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Part({ part }: { part: MenuPart }) {
  switch (part.kind) {
    case 'line':
      return <Menu.Separator className={style.menuLine} />;
    case 'heading':
      return <Menu.Label className={style.menuLabel}>{part.word}</Menu.Label>;
    case 'act':
      return (
        <Menu.Item className={style.menuItem} disabled={part.isDisabled ?? false} onSelect={part.onSelect}>
          {part.word}
        </Menu.Item>
      );
    case 'oneOf':
      return (
        <Menu.RadioGroup value={part.value} onValueChange={part.onChange}>
          {part.options.map(([value, word]) => (
            <Menu.RadioItem key={value} value={value} className={style.menuItem}>
              <Tick />
              {word}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      );
    case 'manyOf':
      return part.options.map(([value, word]) => (
        <Menu.CheckboxItem
          key={value}
          className={style.menuItem}
          checked={part.values.includes(value)}
          onCheckedChange={() => part.toggle(value)}
          // It stays open for the next one.
          onSelect={(event) => event.preventDefault()}
        >
          <Tick />
          {word}
        </Menu.CheckboxItem>
      ));
  }
}

/** Stands before what is chosen. */
function Tick() {
  return (
    <span className={style.menuTick}>
      <Menu.ItemIndicator>
        <Check aria-hidden />
      </Menu.ItemIndicator>
    </span>
  );
}
