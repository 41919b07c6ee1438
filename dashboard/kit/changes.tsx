// Values before and after, as people write them.
import { ArrowRight } from 'lucide-react';
import { words } from '../strings/language';
import { stateWord } from './chip';
import style from './kit.module.css';
import { printChangedMoney } from './money';

interface Change {
  field: string;
  from: string | null;
  to: string | null;
}

/** Money and states in the person's language; anything else as it is. */
function shown(value: string): string {
  return printChangedMoney(value) ?? (Object.hasOwn(words().states, value) ? stateWord(value) : value);
}

function nameOf(field: string): string {
  const names: Partial<Record<string, string>> = words().names.fields;
  return names[field] ?? field;
}

/** As the books have it: a chargeback is proposed as what is taken, and leaves the balance. */
export function bookedAmount(amount: string, changes: readonly Pick<Change, 'field' | 'to'>[]): string {
  const isTaken = changes.some(({ field, to }) => field === 'action' && to === 'CHARGEBACK');
  return isTaken ? `-${amount}` : amount;
}

export function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <div className={style.box}>
      {changes.map(({ field, from, to: plain }) => {
        const to = plain !== null && field === 'amount' ? bookedAmount(plain, changes) : plain;
        return (
          <div key={field} className={style.boxRow}>
            <span className="soft">{nameOf(field)}</span>
            {from === null ? null : (
              <>
                <del className={style.from}>{shown(from)}</del>
                <ArrowRight size={13} aria-hidden />
              </>
            )}
            <ins className={style.to} data-less={to?.startsWith('-')}>
              {to === null ? '–' : shown(to)}
            </ins>
          </div>
        );
      })}
    </div>
  );
}
