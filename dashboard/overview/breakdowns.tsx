// Why payments were declined today, and how far applications came lately.
import { useAsk } from '../graph/ask';
import { lastDays } from '../graph/platform-clock';
import { Go } from '../kit/go';
import { PartRefused, SkeletonLines } from '../kit/states';
import { reasonWord } from '../payments/reason-word';
import { words } from '../strings/language';
import { Bars } from './bars';
import { printShare } from './figures';
import style from './figures.module.css';
import { useNews } from './news';
import { OnboardingFigures } from './queries';

const reasonsShown = 6;

interface DeclinesProps {
  /** Most frequent first; null: not known yet. */
  reasons: readonly { reason: string; count: number }[] | null;
}

export function Declines({ reasons }: DeclinesProps) {
  const text = words().overview.figures;
  const all = (reasons ?? []).reduce((sum, { count }) => sum + count, 0);
  return (
    <section className={style.tile} aria-label={text.declines}>
      <Go to="/payments?state=Declined" className={style.title}>
        {text.declines}
      </Go>
      {reasons ? null : <SkeletonLines count={4} />}
      {reasons?.length === 0 ? <p className={style.none}>{text.noDeclines}</p> : null}
      <Bars
        bars={(reasons ?? []).slice(0, reasonsShown).map(({ reason, count }) => ({
          key: reason,
          name: reasonWord(reason),
          count,
          more: printShare(count / all),
          tone: 'bad',
        }))}
      />
    </section>
  );
}

const daysShown = 30;
const steps = ['created', 'signed', 'approved', 'refused', 'abandoned'] as const;

export function Funnel() {
  const text = words().overview.figures;
  const { data, error, again } = useAsk(OnboardingFigures, { range: lastDays(daysShown) });
  useNews(['onboarding'], again);
  const found = data?.metrics.rows[0]?.onboarding;
  const isEmpty = found ? steps.every((step) => found[step] === 0) : false;
  return (
    <section className={style.tile} aria-label={text.funnel}>
      <Go to="/onboarding" className={style.title}>
        {text.funnel}
      </Go>
      {error && !data ? <PartRefused error={error} retry={again} /> : null}
      {!data && !error ? <SkeletonLines count={4} /> : null}
      {isEmpty ? <p className={style.none}>{text.noApplications}</p> : null}
      {found && !isEmpty ? (
        <Bars
          bars={steps.map((step) => ({
            key: step,
            name: text.steps[step],
            count: found[step],
            tone: step === 'approved' ? 'good' : undefined,
            more: step === 'created' || found.created === 0 ? undefined : printShare(found[step] / found.created),
          }))}
        />
      ) : null}
    </section>
  );
}
