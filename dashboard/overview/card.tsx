// A part of the overview: how many wait, and the first of them.
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Total } from '../graph/pages';
import type { AskError } from '../graph/refusal-code';
import { printTotal } from '../kit/count';
import { Go } from '../kit/go';
import { PartRefused, Skeleton } from '../kit/states';
import { words } from '../strings/language';
import style from './overview.module.css';

interface Props {
  title: string;
  /** Where all of them are. */
  to: string;
  /** Null: not known yet. */
  items: readonly { key: string; to: string; title: ReactNode; end: ReactNode }[] | null;
  total: Total | null;
  error?: AskError | null | undefined;
  retry(): void;
  nothing: string;
}

export function WaitingCard({ title, to, items, total, error, retry, nothing }: Props) {
  const count = items?.length ?? 0;
  return (
    <section className={`${style.card} ${style.narrowable}`} aria-label={title} data-urgent={count > 0}>
      <Go to={to} className={style.head}>
        <span className={style.title}>{title}</span>
        <span className={`number ${style.count}`}>{total ? printTotal(total) : '–'}</span>
      </Go>
      {error && !items ? <PartRefused error={error} retry={retry} /> : null}
      {!items && !error ? <Skeleton width="60%" /> : null}
      {items?.length === 0 ? (
        <p className={style.none}>
          <CircleCheck aria-hidden />
          {nothing}
        </p>
      ) : null}
      <ul>
        {items?.map((item) => (
          <li key={item.key}>
            <Go to={item.to} className={style.item}>
              <span className={style.about}>{item.title}</span>
              <span className={style.since}>{item.end}</span>
            </Go>
          </li>
        ))}
      </ul>
      {total && total.value > count ? (
        <Go to={to} className={style.all}>
          {words().callbacks.all}
        </Go>
      ) : null}
    </section>
  );
}
