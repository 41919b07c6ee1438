// Says which words of the address a list left out because it does not know them, and takes them out of the address.
import { TriangleAlert, X } from 'lucide-react';
import { useAddress } from '../shell/address';
import { words } from '../strings/language';
import style from './filters.module.css';
import type { KnownSearch } from './known';

export function Dropped({ of: { search, dropped } }: { of: KnownSearch }) {
  const { change } = useAddress();
  const text = words().narrow;
  const values = Object.values(dropped);
  if (values.length === 0) return null;
  const rest = Object.fromEntries(Object.keys(dropped).map((name) => [name, search[name] ?? '']));
  return (
    <span className={style.dropped} role="status">
      <TriangleAlert aria-hidden />
      {text.dropped(values.join(', '))}
      <button type="button" className={style.clear} onClick={() => change(rest)} aria-label={text.droppedClear}>
        <X aria-hidden />
      </button>
    </span>
  );
}
