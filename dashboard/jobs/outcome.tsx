// What a job came to or would come to, at a glance: what to how many, how much money, and why rows were refused.
import type { JobAct } from '../graph/contract';
import { printCount } from '../kit/count';
import { Section } from '../kit/facts';
import kit from '../kit/kit.module.css';
import { printMoney } from '../kit/money';
import { refusalWord } from '../kit/refusal-word';
import { words } from '../strings/language';
import type { JobOnScreen } from './use-job';

/** What is done to so many, as a button says it. */
export function actTitle(act: JobAct, count: number): string {
  return words().bulk.title[act](printCount(count), count === 1);
}

export function jobMoney({ sums }: Pick<JobOnScreen, 'sums'>): string {
  return sums.map(({ amount, currency }) => printMoney(amount, currency)).join(' + ');
}

export function Refusals({ job: { refusals, dryRun } }: { job: Pick<JobOnScreen, 'refusals' | 'dryRun'> }) {
  const text = words().jobs;
  if (refusals.length === 0) return null;
  return (
    <Section title={dryRun ? text.wouldRefuse : text.refused}>
      <div className={kit.box}>
        {refusals.map(({ code, count }) => (
          <div key={code} className={kit.boxRow}>
            <span>{reasonOf(code)}</span>
            <span className="number">{printCount(count)}</span>
          </div>
        ))}
      </div>
    </Section>
  );
}

/** Why a row was refused, in the person's language. */
export function reasonOf(code: string): string {
  const known: Partial<Record<string, string>> = words().jobs.reasons;
  return known[code] ?? refusalWord(code);
}
