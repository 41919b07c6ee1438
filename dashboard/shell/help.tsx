// The keys that work, in a list.
import { Dialog } from '../kit/overlays';
import { words } from '../strings/language';
import { places } from './places';
import style from './shell.module.css';
import { paletteKeys } from './shortcuts';

/** Between keys that do the same. */
const or = '·';

export function Help({ onClose }: { onClose(): void }) {
  const text = words().shortcuts;
  const keys: readonly (readonly [keys: readonly string[], word: string])[] = [
    [[...paletteKeys, or, '/'], text.palette],
    [['J'], text.down],
    [['K'], text.up],
    [['X'], text.select],
    [['↵'], text.open],
    [['Esc'], text.close],
    [['?'], text.help],
    ...places.map(({ key, word }) => [['G', key.toUpperCase()], words().navigation[word]] as const),
  ];
  return (
    <Dialog title={text.title} onClose={onClose}>
      <ul className={style.help}>
        {keys.map(([pressed, word]) => (
          <li key={pressed.join()}>
            <span>{word}</span>
            <span className={style.keys}>
              {pressed.map((each) => (each === or ? each : <kbd key={each}>{each}</kbd>))}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
