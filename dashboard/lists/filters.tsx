// What narrows a list: pills that open a menu, and a field for text. What is chosen stands in the address.
import { ChevronDown, Search, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { MenuButton } from '../kit/menus/menu-button';
import type { MenuPart } from '../kit/menus/menu-part';
import { words } from '../strings/language';
import { Dropped } from './dropped';
import style from './filters.module.css';
import type { KnownSearch } from './known';

/** With the words of the address that the list does not know, where it says which it knows. */
export function Filters({ address, children }: { address?: KnownSearch; children: ReactNode }) {
  return (
    <search className={style.bar} aria-label={words().filters.label}>
      {children}
      {address ? <Dropped of={address} /> : null}
    </search>
  );
}

export interface PillProps {
  title: string;
  value: string | undefined;
  options: readonly (readonly [value: string, word: ReactNode])[];
  onChange(value: string): void;
}

interface ShellProps {
  title: string;
  /** What is chosen, in short; null: nothing is. */
  shown: ReactNode | null;
  onClear(): void;
  /** What the menu offers. */
  menu: MenuPart;
}

/** The pill itself, whatever its menu lets choose. */
export function PillShell({ title, shown, onClear, menu }: ShellProps) {
  const isOn = shown !== null;
  return (
    <span className={style.pill} data-on={isOn}>
      <MenuButton className={style.trigger} menuClassName={style.menu} title={isOn ? title : undefined} parts={[menu]}>
        <span className={style.name}>{title}</span>
        {isOn ? shown : <ChevronDown aria-hidden />}
      </MenuButton>
      {isOn ? (
        <button
          type="button"
          className={style.clear}
          onClick={onClear}
          aria-label={`${words().filters.clear}: ${title}`}
        >
          <X aria-hidden />
        </button>
      ) : null}
    </span>
  );
}

export function Pill({ title, value, options, onChange }: PillProps) {
  const word = options.find(([each]) => each === value)?.[1] ?? value;
  return (
    <PillShell
      title={title}
      shown={value ? <strong className="ellipsis">{word}</strong> : null}
      onClear={() => onChange('')}
      menu={{ kind: 'oneOf', key: 'all', value: value ?? '', options, onChange }}
    />
  );
}

interface TextProps {
  label: string;
  value: string | undefined;
  onChange(value: string): void;
}

/** Taken over on Enter and when the field is left. */
export function TextFilter({ label, value = '', onChange }: TextProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const take = () => text.trim() !== value && onChange(text.trim());
  return (
    <form
      className={style.text}
      onSubmit={(event) => {
        event.preventDefault();
        take();
      }}
    >
      <Search aria-hidden />
      <input
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={take}
        spellCheck={false}
        autoComplete="off"
      />
    </form>
  );
}
