// A number that nobody has to read over a shoulder, such as an account of a bank: its ends, until it is asked for.
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { words } from '../strings/language';
import { PlainButton } from './button';
import { CopyButton } from './copy-id';
import style from './kit.module.css';

const ends = 4;

export function Covered({ text, name }: { text: string; name: string }) {
  const [isOpen, setOpen] = useState(false);
  // What came masked, or is as short as its ends, has nothing more to hide.
  const isShort = text.length <= 2 * ends + 1;
  if (isShort) return <span className="mono">{text}</span>;
  const { show, hide } = words().covered;
  return (
    <span className={style.covered}>
      <span className="mono">{isOpen ? text : `${text.slice(0, ends)} •••• ${text.slice(-ends)}`}</span>
      <PlainButton
        onClick={() => setOpen(!isOpen)}
        aria-label={`${isOpen ? hide : show}: ${name}`}
        aria-pressed={isOpen}
      >
        {isOpen ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
      </PlainButton>
      {isOpen ? <CopyButton text={text} /> : null}
    </span>
  );
}
