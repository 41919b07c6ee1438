// A number that nobody has to read over a shoulder, such as an account of a bank: its ends, until it is asked for, which stands in the audit.
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useAsk } from '../graph/ask';
import type { TypedText } from '../graph/typed-text';
import { words } from '../strings/language';
import { PlainButton } from './button';
import { CopyButton } from './copy-id';
import style from './kit.module.css';
import { sayRefusal } from './refusal-word';

interface Props<Answer extends object, Variables extends object> {
  masked: string;
  name: string;
  /** What tells the whole of it. */
  whole: {
    document: TypedText<Answer, Variables>;
    variables: Variables;
    of(answer: Answer): string | null | undefined;
  };
}

/** Of each thing for itself: what was opened of one opens nothing of the next that stands in its place. */
export function Covered<Answer extends object, Variables extends object>(props: Props<Answer, Variables>) {
  return <OneCovered key={JSON.stringify(props.whole.variables)} {...props} />;
}

function OneCovered<Answer extends object, Variables extends object>({
  masked,
  name,
  whole,
}: Props<Answer, Variables>) {
  const [isOpen, setOpen] = useState(false);
  // Asked at each look, also of what was seen before: it is the answer that brings the record.
  const { data, error } = useAsk(whole.document, whole.variables, { isPaused: !isOpen });
  const text = isOpen && data ? whole.of(data) : null;
  const { show, hide } = words().covered;
  return (
    <span className={style.covered}>
      <span className="mono">{text ?? masked.replace(/\*+/, ' •••• ')}</span>
      <PlainButton
        onClick={() => setOpen(!isOpen)}
        aria-label={`${isOpen ? hide : show}: ${name}`}
        aria-pressed={isOpen}
      >
        {isOpen ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
      </PlainButton>
      {text ? <CopyButton text={text} /> : null}
      {isOpen && error ? <span role="alert">{sayRefusal(error)}</span> : null}
    </span>
  );
}
