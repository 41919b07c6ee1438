// A pill of which several can be chosen at a time; the menu stays open meanwhile.
import { type PillProps, PillShell } from './filters';
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
    <PillShell
      title={title}
      shown={chosen.length > 0 ? shown : null}
      onClear={() => onChange('')}
      menu={{ kind: 'manyOf', key: 'all', values: chosen, options, toggle }}
    />
  );
}
