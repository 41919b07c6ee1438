// The frame of the palette, there at once: what is typed while the palette itself is fetched stands in its field.
import { type ComponentProps, type ComponentType, useState } from 'react';
import { Modal } from '../kit/overlays';
import type { Palette as PaletteInside } from '../palette/palette';
import { words } from '../strings/language';
import style from './shell.module.css';

interface Props {
  /** Null until it is fetched. */
  Palette: ComponentType<ComponentProps<typeof PaletteInside>> | null;
  onClose(): void;
}

export function PaletteFrame({ Palette, onClose }: Props) {
  const [text, setText] = useState('');
  const { search } = words();
  return (
    <Modal className={style.palette} label={{ 'aria-label': search }} onClose={onClose}>
      {Palette ? (
        <Palette text={text} setText={setText} onClose={onClose} />
      ) : (
        <input
          role="combobox"
          aria-label={search}
          aria-expanded={false}
          placeholder={search}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
    </Modal>
  );
}
