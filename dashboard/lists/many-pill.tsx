// A pill of which several can be chosen at a time; the menu stays open meanwhile.
import { Check, ChevronDown, X } from 'lucide-react';
import { DropdownMenu as Menu } from 'radix-ui';
import kit from '../kit/kit.module.css';
import { words } from '../strings/language';
import type { PillProps } from './filters';
import style from './filters.module.css';
import { filterWords } from './known';

export function ManyPill({ title, value, options, onChange }: PillProps) {
  const chosen = filterWords(value);
  const first = options.find(([each]) => each === chosen[0])?.[1] ?? chosen[0];
  const toggle = (word: string) =>
    onChange((chosen.includes(word) ? chosen.filter((each) => each !== word) : [...chosen, word]).join(','));
  return (
    <span className={style.pill} data-on={chosen.length > 0}>
      <Menu.Root modal={false}>
        <Menu.Trigger className={style.trigger}>
          {title}
          {chosen.length > 0 ? <strong className="ellipsis">{first}</strong> : <ChevronDown aria-hidden />}
          {chosen.length > 1 ? <strong className="number">+{chosen.length - 1}</strong> : null}
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Content className={`${kit.menu} ${style.menu}`} align="start" sideOffset={4} collisionPadding={8}>
            {options.map(([each, word]) => (
              <Menu.CheckboxItem
                key={each}
                className={kit.menuItem}
                checked={chosen.includes(each)}
                onCheckedChange={() => toggle(each)}
                onSelect={(event) => event.preventDefault()}
              >
                <span className={style.tick}>
                  <Menu.ItemIndicator>
                    <Check aria-hidden />
                  </Menu.ItemIndicator>
                </span>
                {word}
              </Menu.CheckboxItem>
            ))}
          </Menu.Content>
        </Menu.Portal>
      </Menu.Root>
      {chosen.length > 0 ? (
        <button
          type="button"
          className={style.clear}
          onClick={() => onChange('')}
          aria-label={`${words().filters.clear}: ${title}`}
        >
          <X aria-hidden />
        </button>
      ) : null}
    </span>
  );
}
