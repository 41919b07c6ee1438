// A pill of which several can be chosen at a time; the menu stays open meanwhile.
import { DropdownMenu as Menu } from 'radix-ui';
import kit from '../kit/kit.module.css';
import { MenuTick, type PillProps, PillShell } from './filters';
import { filterWords } from './known';

export function ManyPill({ title, value, options, onChange }: PillProps) {
  const chosen = filterWords(value);
  const first = options.find(([each]) => each === chosen[0])?.[1] ?? chosen[0];
  const toggle = (word: string) =>
    onChange((chosen.includes(word) ? chosen.filter((each) => each !== word) : [...chosen, word]).join(','));
  const shown = (
    <>
      <strong className="ellipsis">{first}</strong>
      {chosen.length > 1 ? <strong className="number">+{chosen.length - 1}</strong> : null}
    </>
  );
  return (
    <PillShell title={title} shown={chosen.length > 0 ? shown : null} onClear={() => onChange('')}>
      {options.map(([each, word]) => (
        <Menu.CheckboxItem
          key={each}
          className={kit.menuItem}
          checked={chosen.includes(each)}
          onCheckedChange={() => toggle(each)}
          onSelect={(event) => event.preventDefault()}
        >
          <MenuTick />
          {word}
        </Menu.CheckboxItem>
      ))}
    </PillShell>
  );
}
