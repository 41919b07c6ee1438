// A long text that is shortened in the middle: those that differ at their end are told apart.
import style from './kit.module.css';

const endShown = 22;

export function Middle({ text }: { text: string }) {
  const cut = Math.max(0, text.length - endShown);
  return (
    <span className={style.middle} title={text}>
      <span className="ellipsis">{text.slice(0, cut)}</span>
      <span className="ellipsis">{text.slice(cut)}</span>
    </span>
  );
}
