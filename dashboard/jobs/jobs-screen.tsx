// Acts in bulk, newest first: what runs moves by itself, a row opens the job with its report.
import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useEvents } from '../graph/ask';
import { usePages } from '../graph/pages';
import { Chip } from '../kit/chip';
import { Empty } from '../kit/states';
import { When } from '../kit/when';
import { Filters, Pill } from '../lists/filters';
import { List } from '../lists/list';
import { Pair } from '../lists/pair';
import type { Column } from '../lists/rows';
import { typesOf } from '../live/feed-kinds';
import { useAddress } from '../shell/address';
import { Screen } from '../shell/shell';
import { useMay } from '../shell/viewer';
import { words } from '../strings/language';
import style from './jobs.module.css';
import { Progress } from './progress';
import { JobEvents, type JobRowFragment, JobRows, type JobRowsQuery, type JobState } from './queries';

const states = ['RUNNING', 'PAUSED', 'DONE', 'CANCELLED'] as const;
const shape = { of: ({ jobs }: JobRowsQuery) => jobs, keyOf: ({ jobId }: JobRowFragment) => jobId };

export function JobsScreen() {
  const { search, open, change, hrefOf } = useAddress();
  const { jobId = null } = useParams({ strict: false }) as { jobId?: string };
  const text = words().jobs;
  const state = (search['state'] as JobState | undefined) ?? null;
  const filter = useMemo(() => ({ filter: { state } }), [state]);
  const pages = usePages(JobRows, filter, shape);
  const mayListen = useMay('events:read');
  useEvents(JobEvents, mayListen ? [{ filter: { types: typesOf('jobs') }, after: null }] : [], ({ events }) => {
    if (events.type === 'GAP') return pages.again();
    if (events.__typename !== 'JobEvent' || !events.job) return;
    const { job } = events;
    if (state === null || state === job.state || pages.rows.some((row) => row.jobId === job.jobId)) pages.put([job]);
  });
  const columns = useMemo(columnsOf, []);
  return (
    <Screen
      title={text.title}
      below={
        <Filters>
          <Pill
            title={text.state}
            value={state ?? undefined}
            options={states.map((each) => [each, <Chip key={each} state={each} />])}
            onChange={(next) => change({ state: next })}
          />
        </Filters>
      }
    >
      <List
        pages={pages}
        label={text.title}
        columns={columns}
        phone={PhoneRow}
        keyOf={shape.keyOf}
        nameOf={({ act, done, total }) => `${text.names[act]}, ${text.of(done, total)}`}
        selected={jobId}
        hrefOf={(key) => hrefOf(`/jobs/${key}`)}
        onOpen={open}
        empty={<Empty title={text.nothing}>{text.nothingHint}</Empty>}
      />
      <Outlet />
    </Screen>
  );
}

export function JobName({ job: { act, dryRun } }: { job: Pick<JobRowFragment, 'act' | 'dryRun'> }) {
  const text = words().jobs;
  return (
    <>
      {text.names[act]}
      {dryRun ? <span className={style.dry}>{text.dryRun}</span> : null}
    </>
  );
}

function columnsOf(): Column<JobRowFragment>[] {
  const text = words().jobs;
  return [
    {
      id: 'act',
      title: text.act,
      width: 250,
      cell: (job) => (
        <strong>
          <JobName job={job} />
        </strong>
      ),
    },
    { id: 'state', title: text.state, width: 120, cell: ({ state }) => <Chip state={state} /> },
    { id: 'progress', title: text.progress, width: 256, cell: (job) => <Progress of={job} /> },
    { id: 'reason', title: words().reason, isWide: true, cell: ({ reason }) => <span className="soft">{reason}</span> },
    { id: 'by', title: text.by, width: 140, cell: ({ startedByName }) => startedByName },
    {
      id: 'at',
      title: text.at,
      width: 150,
      isEnd: true,
      cell: ({ createdAt }) => (
        <span className="soft">
          <When at={createdAt} />
        </span>
      ),
    },
  ];
}

function PhoneRow(job: JobRowFragment) {
  return (
    <>
      <Pair
        start={
          <strong>
            <JobName job={job} />
          </strong>
        }
        end={<Chip state={job.state} />}
      />
      <Pair
        start={<Progress of={job} />}
        end={
          <span className="faint">
            <When at={job.createdAt} />
          </span>
        }
      />
    </>
  );
}
