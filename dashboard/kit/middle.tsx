// A long text that is shortened in the middle: those that differ at their end are told apart.
import style from './kit.module.css';

const endShown = 22;

export function Middle({
  text,
  title = text,
  end = text.slice(-endShown),
}: Record<'text', string> & Partial<Record<'title' | 'end', string>>) {
  return (
    <span className={style.middle} title={title}>
      <span className="ellipsis">{text.slice(0, text.length - end.length)}</span>
      <span className="ellipsis">{end}</span>
    </span>
  );
}
