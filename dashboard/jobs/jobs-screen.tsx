// Acts in bulk, newest first: what runs moves by itself, a row opens the job with its report.

import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { JobRowOutcome, JobState } from '../graph/contract';
import { usePages } from '../graph/pages';
import { Chip } from '../kit/chip';
import { When } from '../kit/when';
import { Filters, Pill } from '../lists/filters';
import { FollowTools } from '../lists/follow-tools';
import { List } from '../lists/list';
import { useLiveList } from '../lists/live-list';
import { Nothing } from '../lists/nothing';
import { Pair } from '../lists/pair';
import type { Column } from '../lists/rows';
import { useKnownAddress } from '../lists/use-known';
import { typesOf } from '../live/feed-kinds';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import style from './jobs.module.css';
import { Progress, printDone } from './progress';
import { JobEvents, type JobEventsSubscription, type JobRowFragment, JobRows, type JobRowsQuery } from './queries';

const known = { state: Object.values(JobState), outcome: Object.values(JobRowOutcome) };

const shape = {
  of: ({ jobs }: JobRowsQuery) => jobs,
  keyOf: ({ jobId }: JobRowFragment) => jobId,
  placeOf: ({ createdAt, jobId }: JobRowFragment) => `${createdAt} ${jobId}`,
};

const source = {
  document: JobEvents,
  types: typesOf('jobs'),
  rowOf: (event: JobEventsSubscription['events']) => (event.__typename === 'JobEvent' ? event.job : null),
};

export function JobsScreen() {
  const { address, open, change, hrefOf } = useKnownAddress(known);
  const { jobId = null } = useParams({ strict: false }) as { jobId?: string };
  const text = words().jobs;
  const state = (address.search['state'] as JobState | undefined) ?? null;
  const pages = usePages(JobRows, { filter: { state } }, shape);
  const live = useLiveList(
    {
      filter: { state },
      pages,
      keyOf: shape.keyOf,
      isHeld: jobId !== null,
      isWanted: (job) => state === null || state === job.state,
    },
    source,
  );
  const columns = useMemo(columnsOf, []);
  return (
    <Screen
      title={text.title}
      total={pages.total}
      tools={<FollowTools live={live} />}
      below={
        <Filters address={address}>
          <Pill
            title={text.state}
            value={state ?? undefined}
            options={Object.values(JobState).map((each) => [each, <Chip key={each} state={each} />])}
            onChange={(next) => change({ state: next })}
          />
        </Filters>
      }
    >
      <List
        pages={pages}
        live={live}
        label={text.title}
        columns={columns}
        sortedBy={['at', 'descending']}
        phone={PhoneRow}
        keyOf={shape.keyOf}
        nameOf={(job) =>
          [job.dryRun ? text.dryRun : null, text.names[job.act], printDone(job)].filter(Boolean).join(', ')
        }
        selected={jobId}
        hrefOf={(key) => hrefOf(`/jobs/${key}`)}
        onOpen={open}
        empty={<Nothing title={text.nothing} yet={text.nothingYet} />}
      />
      <Outlet />
    </Screen>
  );
}

export function JobName({ job: { act, dryRun } }: { job: Pick<JobRowFragment, 'act' | 'dryRun'> }) {
  const text = words().jobs;
  return (
    <>
      {dryRun ? <span className={style.dry}>{text.dryRun}</span> : null}
      {text.names[act]}
    </>
  );
}

function columnsOf(): Column<JobRowFragment>[] {
  const text = words().jobs;
  return [
    {
      id: 'act',
      title: text.act,
      width: 300,
      cell: (job) => (
        <strong>
          <JobName job={job} />
        </strong>
      ),
    },
    { id: 'state', title: text.state, width: 120, cell: ({ state }) => <Chip state={state} /> },
    { id: 'progress', title: text.progress, width: 312, cell: (job) => <Progress of={job} /> },
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
