// What a menu offers, told without how it is drawn.
import type { ReactNode } from 'react';

type MenuOption = readonly [value: string, word: ReactNode];

/** One line of a menu, or several of which one or any number is chosen. */
export type MenuPart =
  | { kind: 'act'; key: string; word: ReactNode; isDisabled?: boolean; onSelect(): void }
  | { kind: 'heading'; key: string; word: ReactNode }
  | { kind: 'line'; key: string }
  | { kind: 'oneOf'; key: string; value: string; options: readonly MenuOption[]; onChange(value: string): void }
  | {
      kind: 'manyOf';
      key: string;
      values: readonly string[];
      options: readonly MenuOption[];
      toggle(value: string): void;
    };
