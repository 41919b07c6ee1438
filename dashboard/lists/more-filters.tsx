// Filters that are used less: behind one pill while nothing is chosen in them, so that the others stand on one line.
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAddress } from '../shell/address';
import { words } from '../strings/language';
import style from './filters.module.css';

/** Each by its word of the address: what is chosen is seen always, and stays where it stands when it is taken out. A phone's bar is one line however long it is, and has them all. */
export function MoreFilters({ pills }: { pills: Record<string, ReactNode> }) {
  const { search } = useAddress();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <span className={`${style.pill} ${style.more}`} data-on={false}>
        <button type="button" className={style.trigger} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {words().filters.more}
          <ChevronRight aria-hidden className={style.turned} />
        </button>
      </span>
      {Object.entries(pills).map(([name, pill]) => (
        <span key={name} className={style.less} data-on={Boolean(search[name])} data-open={isOpen}>
          {pill}
        </span>
      ))}
    </>
  );
}
