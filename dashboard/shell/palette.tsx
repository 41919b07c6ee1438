// The command palette: go to any screen, find anything by what is known of it.
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { useState } from 'react';
import { Modal } from '../kit/overlays';
import { words } from '../strings/language';
import { useFound } from './found';
import { places } from './places';
import style from './shell.module.css';
import { useViewer } from './viewer';

export function Palette({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const { rights } = useViewer();
  const [text, setText] = useState('');
  const go = (to: string) => {
    onClose();
    void navigate({ to: to as '/' });
  };
  const { found, isLooking } = useFound(text.trim());
  return (
    <Modal className={style.palette} label={{ 'aria-label': words().search }} onClose={onClose}>
      <Command label={words().search} loop>
        <Command.Input placeholder={words().search} value={text} onValueChange={setText} />
        <Command.List>
          <Command.Empty>{isLooking ? words().loading : words().palette.nothing}</Command.Empty>
          {found.length > 0 ? (
            <Command.Group heading={words().palette.found}>
              {found.map(({ key, to, word, icon: Icon }) => (
                // By its id, which two with the same words do not share; by the text, so that it is not filtered away.
                <Command.Item key={key} value={`${text} ${key}`} onSelect={() => go(to)}>
                  <Icon aria-hidden />
                  {word}
                </Command.Item>
              ))}
            </Command.Group>
          ) : null}
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
        </Command.List>
      </Command>
    </Modal>
  );
}
