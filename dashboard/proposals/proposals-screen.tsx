// What waits for a second person, and what had one.

import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ProposalStatus } from '../graph/contract';
import { usePages } from '../graph/pages';
import { Chip, stateWord } from '../kit/chip';
import { Middle } from '../kit/middle';
import { None } from '../kit/none';
import { When } from '../kit/when';
import { Filters, Pill } from '../lists/filters';
import { FollowTools } from '../lists/follow-tools';
import { List } from '../lists/list';
import { useLiveList } from '../lists/live-list';
import { Nothing } from '../lists/nothing';
import { Pair } from '../lists/pair';
import type { Column } from '../lists/rows';
import { useKnownAddress } from '../lists/use-known';
import { Happened } from '../live/queries';
import { Actor } from '../shell/actors';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import { applicationEnd, proposalActs, proposedAct, proposedMoney, useProposedSubject } from './proposed';
import { type ProposalRowFragment, ProposalRows, type ProposalRowsQuery } from './queries';

const known = { status: Object.values(ProposalStatus) };

const shape = {
  of: ({ proposals }: ProposalRowsQuery) => proposals,
  keyOf: ({ proposalId }: ProposalRowFragment) => proposalId,
};

const source = { document: Happened, types: null, actions: proposalActs };

export function ProposalsScreen() {
  const { address, open, change, hrefOf } = useKnownAddress(known);
  const { proposalId = null } = useParams({ strict: false }) as { proposalId?: string };
  const text = words().proposals;
  const status = (address.search['status'] as ProposalStatus | undefined) ?? null;
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
        <Filters address={address}>
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
        sortedBy={['at', 'descending']}
        phone={PhoneRow}
        keyOf={shape.keyOf}
        nameOf={(row) =>
          [proposedAct(row), proposedMoney(row) ?? row.application?.name, stateWord(row.status)]
            .filter(Boolean)
            .join(', ')
        }
        selected={proposalId}
        hrefOf={(key) => hrefOf(`/proposals/${key}`)}
        onOpen={open}
        empty={<Nothing title={text.nothing} yet={text.nothingYet} />}
      />
      <Outlet />
    </Screen>
  );
}

function columnsOf(): Column<ProposalRowFragment>[] {
  const text = words().proposals;
  return [
    { id: 'kind', title: text.kind, width: 212, cell: (row) => <strong>{proposedAct(row)}</strong> },
    {
      id: 'amount',
      title: text.amount,
      width: 130,
      isEnd: true,
      cell: (row) => {
        const money = proposedMoney(row);
        return money ? <strong className="number">{money}</strong> : <None />;
      },
    },
    { id: 'subject', title: text.subject, width: 160, cell: (row) => <Subject of={row} /> },
    { id: 'status', title: text.status, width: 116, cell: ({ status }) => <Chip state={status} /> },
    { id: 'reason', title: words().reason, cell: ({ reason }) => <span className="soft">{reason ?? '–'}</span> },
    { id: 'by', title: text.proposedBy, width: 156, cell: ({ proposedBy }) => <Actor of={proposedBy} /> },
    {
      id: 'at',
      title: text.proposedAt,
      width: 160,
      isEnd: true,
      cell: ({ proposedAt }) => (
        <span className="soft">
          <When at={proposedAt} />
        </span>
      ),
    },
  ];
}

function Subject({ of }: { of: ProposalRowFragment }) {
  const subject = useProposedSubject()(of);
  if (of.application) return <Middle text={subject} end={applicationEnd(of.application)} />;
  return <span title={of.subjectId}>{subject}</span>;
}

function PhoneRow(row: ProposalRowFragment) {
  const { status, proposedAt } = row;
  const money = proposedMoney(row);
  return (
    <>
      <Pair start={<strong>{proposedAct(row)}</strong>} end={<Chip state={status} />} />
      <Pair
        start={
          <span className="soft">
            {money ? `${money} · ` : null}
            <Subject of={row} />
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
