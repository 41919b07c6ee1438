// The command palette: go to any screen, find anything by what is known of it.
import { Command } from 'cmdk';
import { useLayoutEffect, useRef } from 'react';
import { useAddress } from '../shell/address';
import { places } from '../shell/places';
import style from '../shell/shell.module.css';
import { useViewer } from '../shell/viewer';
import { words } from '../strings/language';
import { useFound } from './found';

interface Props {
  /** What was typed before it was there. */
  text: string;
  setText(text: string): void;
  onClose(): void;
}

const foundValue = 'found:';

/** What was found is there by the graph's word, a screen by how a word of its name begins. */
function isShown(value: string, text: string): number {
  const begins = ` ${value}`.toLowerCase().includes(` ${text.trim().toLowerCase()}`);
  return value.startsWith(foundValue) || begins ? 1 : 0;
}

export function Palette({ text, setText, onClose }: Props) {
  const { open } = useAddress();
  const { rights } = useViewer();
  const input = useRef<HTMLInputElement>(null);
  // It takes the place of the field that was typed into.
  useLayoutEffect(() => input.current?.focus(), []);
  const go = (to: string) => {
    onClose();
    open(to);
  };
  const { found, isLooking } = useFound(text.trim());
  return (
    <Command label={words().search} loop filter={isShown}>
      <Command.Input ref={input} placeholder={words().search} value={text} onValueChange={setText} />
      <Command.List>
        <Command.Empty>{isLooking ? words().loading : <NothingFound />}</Command.Empty>
        {/* Before what is found, which comes later: the line that is chosen stays the first. */}
        <Command.Group heading={words().palette.go}>
          {places
            .filter(({ right }) => right === undefined || rights.includes(right))
            .map(({ path, word, icon: Icon, key }) => (
              <Command.Item key={path} value={words().navigation[word]} onSelect={() => go(path)}>
                <Icon aria-hidden />
                {words().navigation[word]}
                <span className={style.keys}>
                  <kbd>G</kbd>
                  <kbd>{key.toUpperCase()}</kbd>
                </span>
              </Command.Item>
            ))}
        </Command.Group>
        {found.length > 0 ? (
          <Command.Group heading={words().palette.found}>
            {found.map(({ key, to, kind, word, icon: Icon }) => (
              // By its id, which two with the same words do not share.
              <Command.Item key={`${kind} ${key}`} value={`${foundValue}${kind} ${key}`} onSelect={() => go(to)}>
                <Icon aria-hidden />
                <span className="ellipsis">{word}</span> <span className={style.kind}>{kind}</span>
              </Command.Item>
            ))}
          </Command.Group>
        ) : null}
      </Command.List>
    </Command>
  );
}

/** With what can be looked for: four digits alone are too few of a card. */
function NothingFound() {
  const { nothing, nothingHint } = words().palette;
  return (
    <>
      <p>{nothing}</p>
      <p className="faint">{nothingHint}</p>
    </>
  );
}
