// An id that a click copies, shortened in the middle where there is little room.
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { words } from '../strings/language';
import { PlainButton } from './button';
import style from './kit.module.css';

const shownMs = 1_200;

function useCopy(text: string): [isCopied: boolean, copy: () => void] {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), shownMs);
  }
  return [isCopied, () => void copy()];
}

export function CopyId({ id, short = false }: { id: string; short?: boolean }) {
  const [isCopied, copy] = useCopy(id);
  return (
    <button type="button" className={style.copy} onClick={copy} title={id} aria-label={`${words().copy} ${id}`}>
      <span className="ellipsis">{short && id.length > 14 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id}</span>
      {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
    </button>
  );
}

export function CopyButton({ text }: { text: string }) {
  const [isCopied, copy] = useCopy(text);
  return (
    <PlainButton onClick={copy} aria-label={words().copy}>
      {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
    </PlainButton>
  );
}
