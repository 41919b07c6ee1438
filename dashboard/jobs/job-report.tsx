// The report of a job: every row with what came of it, narrowed by outcome, and as a file.

import { memo, useEffect, useMemo } from 'react';
import { JobRowOutcome } from '../graph/contract';
import { usePages } from '../graph/pages';
import { Button } from '../kit/button';
import { Chip } from '../kit/chip';
import { Section } from '../kit/facts';
import { Go } from '../kit/go';
import kit from '../kit/kit.module.css';
import { Middle } from '../kit/middle';
import { printMoney } from '../kit/money';
import { RefusedNote, SkeletonLines } from '../kit/states';
import { toneOf } from '../kit/tone';
import { ExportLink } from '../lists/export-link';
import { Pill } from '../lists/filters';
import { useAddress } from '../shell/address';
import { words } from '../strings/language';
import style from './jobs.module.css';
import { reasonOf } from './outcome';
import { JobReport, type JobReportQuery } from './queries';
import { subjectWords } from './subject-words';
import type { JobOnScreen } from './use-job';

type Row = NonNullable<JobReportQuery['job']>['rows']['edges'][number]['node'];

/** A longer report is not read anew at each step of the job: what was turned to would be lost. */
const shortMost = 50;
const shape = {
  of: ({ job }: JobReportQuery) => job?.rows ?? { edges: [], pageInfo: { hasNextPage: false, endCursor: null } },
  keyOf: ({ number }: Row) => String(number),
};

interface Props {
  job: Pick<JobOnScreen, 'jobId' | 'act' | 'dryRun'>;
  /** Handed what reads the report again. */
  register(read: () => unknown): void;
}

export function JobReportRows({ job, register }: Props) {
  const { jobId } = job;
  const { search } = useAddress();
  const text = words().jobs;
  const outcome = Object.values(JobRowOutcome).find((each) => each === search['outcome']) ?? null;
  const asked = useMemo(() => ({ jobId, outcome }), [jobId, outcome]);
  const { rows, isLoading, error, again, more } = usePages(JobReport, asked, shape);
  // While there is no more than a page of it.
  const isShort = rows.length <= shortMost;
  useEffect(() => {
    register(() => isShort && again());
  });
  return (
    <Section title={text.report} aside={<ReportHead jobId={jobId} outcome={outcome} />}>
      {error && rows.length === 0 ? <RefusedNote error={error} retry={again} /> : null}
      {rows.length === 0 && isLoading ? <SkeletonLines count={6} /> : null}
      {rows.length === 0 && !isLoading && !error ? <p className="soft">{text.noRows}</p> : null}
      {rows.length > 0 ? (
        <div className={kit.box}>
          {rows.map((row) => (
            <ReportRow key={row.number} row={row} job={job} />
          ))}
          {more ? (
            <div className={style.more}>
              <Button onClick={more}>{text.moreRows}</Button>
            </div>
          ) : null}
        </div>
      ) : null}
    </Section>
  );
}

/** By itself, so that a menu is not drawn anew with each row that ends. */
const ReportHead = memo(function ReportHead({ jobId, outcome }: { jobId: string; outcome: JobRowOutcome | null }) {
  const { change } = useAddress();
  return (
    <span className={style.reportHead}>
      <Pill
        title={words().jobs.outcome}
        value={outcome ?? undefined}
        options={Object.values(JobRowOutcome).map((each) => [each, <Chip key={each} state={each} />])}
        onChange={(next) => change({ outcome: next })}
      />
      <ExportLink document={JobReport} variables={{ jobId, outcome }} />
    </span>
  );
});

function ReportRow({ row, job: { act, dryRun } }: { row: Row; job: Props['job'] }) {
  const { number, key, outcome, amount, currency, code, subject } = row;
  const told = subject ? subjectWords(subject) : null;
  const hasMoney = act.endsWith('_PAYMENT');
  return (
    <div className={style.reportRow} data-money={hasMoney}>
      <span className="faint number">{number}</span>
      <span className={style.subject} title={key}>
        <Go to={`${placeOf(act)}/${key}`} className={told ? 'ellipsis' : 'mono ellipsis'}>
          {told?.name ?? key}
        </Go>
        {told ? (
          <span className="faint">
            <span className="ellipsis">{told.detail}</span>
            {told.target ? <Middle text={told.target} /> : null}
          </span>
        ) : null}
      </span>
      <Chip state={(dryRun && wouldBe[outcome]) || outcome} tone={toneOf(outcome)} />
      {hasMoney ? (
        <span className={`number nowrap ${style.end}`}>{currency ? printMoney(amount, currency) : null}</span>
      ) : null}
      {code ? <span className={style.why}>{reasonOf(code)}</span> : null}
    </div>
  );
}

/** In a dry run nothing is done. */
const wouldBe: Partial<Record<Row['outcome'], string>> = { SUCCEEDED: 'WOULD_SUCCEED', FAILED: 'WOULD_FAIL' };

function placeOf(act: JobOnScreen['act']): string {
  if (act === 'REDELIVER_CALLBACK') return '/callbacks';
  if (act === 'DEACTIVATE_MERCHANT') return '/merchants';
  return act.endsWith('_PAYMENT') ? '/payments' : '/onboarding';
}
