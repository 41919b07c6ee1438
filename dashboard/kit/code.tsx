// Text as it was sent, laid out when it is JSON, with a button that copies it.
import style from './code.module.css';
import { CopyButton } from './copy-id';

export function Code({ text, label }: { text: string; label: string }) {
  const shown = laidOut(text);
  return (
    <figure className={style.code}>
      <figcaption className={style.head}>
        <span>{label}</span>
        <CopyButton text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
      <pre tabIndex={0}>{shown}</pre>
    </figure>
  );
}

function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not every body is JSON; shown as it is.
    return text;
  }
}
