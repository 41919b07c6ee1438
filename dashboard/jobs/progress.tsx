// How far a job has come: a bar of what was done and what was refused, with the numbers beside it.
import { printCount } from '../kit/count';
import kit from '../kit/kit.module.css';
import { words } from '../strings/language';
import style from './jobs.module.css';
import type { JobOnScreen } from './use-job';

interface Counts {
  total: number;
  done: number;
  succeeded: number;
  failed: number;
}

export function printDone({ done, total }: Pick<Counts, 'done' | 'total'>): string {
  return words().jobs.of(printCount(done), printCount(total));
}

export function Progress({ of: { total, done, succeeded, failed }, isWide = false }: { of: Counts; isWide?: boolean }) {
  const text = words().jobs;
  const share = (count: number) => `${total === 0 ? 0 : (count / total) * 100}%`;
  return (
    <span className={style.progress} data-wide={isWide}>
      <span
        className={style.track}
        role="progressbar"
        aria-label={text.progress}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-valuetext={printDone({ done, total })}
      >
        <span data-part="succeeded" style={{ width: share(succeeded) }} />
        <span data-part="failed" style={{ width: share(failed) }} />
      </span>
      <span className="number nowrap">{printDone({ done, total })}</span>
      {failed > 0 ? <span className={`number nowrap ${style.failed}`}>{text.failedOf(printCount(failed))}</span> : null}
    </span>
  );
}

/** That it is held up, or why it ended by itself, as the platform says it. */
export function Hindrance({ job: { hindrance, refusal } }: { job: Pick<JobOnScreen, 'hindrance' | 'refusal'> }) {
  if (!hindrance && !refusal) return null;
  return (
    <div className={kit.note} data-tone="warn" role="status">
      {refusal ? <p lang="en">{refusal}</p> : <p>{words().jobs.hindered}</p>}
    </div>
  );
}
