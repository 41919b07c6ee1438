// What waits for a second person, and what had one.

import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ProposalStatus } from '../graph/contract';
import { usePages } from '../graph/pages';
import { Chip, stateWord } from '../kit/chip';
import { Empty } from '../kit/states';
import { When } from '../kit/when';
import { Filters, Pill } from '../lists/filters';
import { FollowTools } from '../lists/follow-tools';
import { List } from '../lists/list';
import { useLiveList } from '../lists/live-list';
import { Pair } from '../lists/pair';
import type { Column } from '../lists/rows';
import { Happened } from '../live/queries';
import { Actor } from '../shell/actors';
import { useAddress } from '../shell/address';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import { type ProposalRowFragment, ProposalRows, type ProposalRowsQuery } from './queries';

const shape = {
  of: ({ proposals }: ProposalRowsQuery) => proposals,
  keyOf: ({ proposalId }: ProposalRowFragment) => proposalId,
};

const actions = ['proposal.made', 'proposal.confirmed', 'proposal.rejected'];
const source = { document: Happened, types: null, actions };

export function ProposalsScreen() {
  const { search, open, change, hrefOf } = useAddress();
  const { proposalId = null } = useParams({ strict: false }) as { proposalId?: string };
  const text = words().proposals;
  const status = (search['status'] as ProposalStatus | undefined) ?? null;
  const asked = useMemo(() => ({ status }), [status]);
  const pages = usePages(ProposalRows, asked, shape);
  const columns = useMemo(columnsOf, []);
  const live = useLiveList({ filter: asked, pages, keyOf: shape.keyOf, isHeld: proposalId !== null }, source);
  return (
    <Screen
      title={text.title}
      total={pages.total}
      tools={<FollowTools live={live} />}
      below={
        <Filters>
          <Pill
            title={text.status}
            value={status ?? undefined}
            options={Object.values(ProposalStatus).map((each) => [each, <Chip key={each} state={each} />])}
            onChange={(next) => change({ status: next })}
          />
        </Filters>
      }
    >
      <List
        pages={pages}
        live={live}
        label={text.title}
        columns={columns}
        phone={PhoneRow}
        keyOf={shape.keyOf}
        nameOf={(row) => `${stateWord(row.kind)}, ${stateWord(row.status)}`}
        selected={proposalId}
        hrefOf={(key) => hrefOf(`/proposals/${key}`)}
        onOpen={open}
        empty={<Empty title={text.nothing}>{text.nothingHint}</Empty>}
      />
      <Outlet />
    </Screen>
  );
}

function columnsOf(): Column<ProposalRowFragment>[] {
  const text = words().proposals;
  return [
    { id: 'kind', title: text.kind, width: 190, cell: ({ kind }) => <strong>{stateWord(kind)}</strong> },
    { id: 'status', title: text.status, width: 130, cell: ({ status }) => <Chip state={status} /> },
    { id: 'reason', title: words().reason, cell: ({ reason }) => <span className="soft">{reason ?? '–'}</span> },
    { id: 'by', title: text.proposedBy, width: 160, cell: ({ proposedBy }) => <Actor of={proposedBy} /> },
    {
      id: 'at',
      title: text.proposedAt,
      width: 150,
      isEnd: true,
      cell: ({ proposedAt }) => (
        <span className="soft">
          <When at={proposedAt} />
        </span>
      ),
    },
  ];
}

function PhoneRow({ kind, status, proposedBy, proposedAt }: ProposalRowFragment) {
  return (
    <>
      <Pair start={<strong>{stateWord(kind)}</strong>} end={<Chip state={status} />} />
      <Pair
        start={
          <span className="soft">
            <Actor of={proposedBy} />
          </span>
        }
        end={
          <span className="faint">
            <When at={proposedAt} />
          </span>
        }
      />
    </>
  );
}
