// Values before and after.
import { ArrowRight } from 'lucide-react';
import style from './kit.module.css';

interface Change {
  field: string;
  from: string | null;
  to: string | null;
}

export function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <div className={style.box}>
      {changes.map(({ field, from, to }) => (
        <div key={field} className={style.boxRow}>
          <span className="soft">{field}</span>
          {from === null ? null : (
            <>
              <del className={style.from}>{from}</del>
              <ArrowRight size={13} aria-hidden />
            </>
          )}
          <ins className={style.to}>{to ?? '–'}</ins>
        </div>
      ))}
    </div>
  );
}
