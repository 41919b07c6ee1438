// Who did what, newest first.
import { useMemo } from 'react';
import { usePages } from '../graph/pages';
import { Changes } from '../kit/changes';
import { CopyId } from '../kit/copy-id';
import { Facts, Section } from '../kit/facts';
import { Drawer } from '../kit/overlays';
import { Empty } from '../kit/states';
import { When } from '../kit/when';
import { ExportLink } from '../lists/export-link';
import { Filters, TextFilter } from '../lists/filters';
import { FollowTools } from '../lists/follow-tools';
import { List } from '../lists/list';
import { useLiveList } from '../lists/live-list';
import { Pair } from '../lists/pair';
import type { Column } from '../lists/rows';
import { Happened } from '../live/queries';
import { Actor } from '../shell/actors';
import { printSearch, useAddress } from '../shell/address';
import { Screen } from '../shell/shell';
import { words } from '../strings/language';
import { AuditRows, type AuditRowsQuery } from './queries';

type AuditRecord = AuditRowsQuery['auditRecords']['edges'][number]['node'];

const shape = {
  of: ({ auditRecords }: AuditRowsQuery) => auditRecords,
  keyOf: ({ auditId }: AuditRecord) => auditId,
};

/** Of some records the log tells what they are about in another way, and of logins of programs nothing. */
const source = { document: Happened, types: null };

export function AuditScreen() {
  const { search, open, change } = useAddress();
  const text = words().audit;
  const subjectId = search['subject'] ?? null;
  const asked = useMemo(() => ({ subjectId }), [subjectId]);
  const pages = usePages(AuditRows, asked, shape);
  const columns = useMemo(columnsOf, []);
  const record = pages.rows.find(({ auditId }) => auditId === search['record']);
  const live = useLiveList({ filter: asked, pages, keyOf: shape.keyOf, isHeld: record !== undefined }, source);
  return (
    <Screen
      title={text.title}
      total={pages.total}
      tools={
        <>
          <ExportLink document={AuditRows} variables={asked} />
          <FollowTools live={live} />
        </>
      }
      below={
        <Filters>
          <TextFilter label={text.filter} value={search['subject']} onChange={(subject) => change({ subject })} />
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
        nameOf={({ action, actor }) => `${action}, ${actor}`}
        selected={search['record'] ?? null}
        hrefOf={(key) => `/audit${printSearch({ ...search, record: key })}`}
        onOpen={open}
        empty={<Empty title={text.nothing} />}
      />
      {record ? <RecordDrawer record={record} onClose={() => change({ record: '' })} /> : null}
    </Screen>
  );
}

function columnsOf(): Column<AuditRecord>[] {
  const text = words().audit;
  return [
    {
      id: 'action',
      title: text.action,
      cell: ({ action, count }) => <strong>{count > 1 ? `${action} × ${count}` : action}</strong>,
    },
    { id: 'actor', title: text.actor, cell: ({ actor }) => <Actor of={actor} /> },
    {
      id: 'subject',
      title: text.subject,
      cell: ({ subjectType, subjectId }) => (
        <>
          <span className="soft">{subjectType}</span> <span className="mono">{subjectId}</span>
        </>
      ),
    },
    {
      id: 'address',
      title: text.address,
      width: 150,
      isWide: true,
      cell: ({ address }) => <span className="soft">{address ?? '–'}</span>,
    },
    {
      id: 'at',
      title: text.at,
      width: 150,
      isEnd: true,
      cell: ({ at }) => (
        <span className="soft">
          <When at={at} />
        </span>
      ),
    },
  ];
}

function PhoneRow({ action, actor, subjectId, at }: AuditRecord) {
  return (
    <>
      <Pair
        start={<strong>{action}</strong>}
        end={
          <span className="faint">
            <When at={at} />
          </span>
        }
      />
      <Pair
        start={
          <span className="soft">
            <Actor of={actor} />
          </span>
        }
        end={<span className="faint mono">{subjectId.slice(0, 13)}</span>}
      />
    </>
  );
}

function RecordDrawer({ record, onClose }: { record: AuditRecord; onClose(): void }) {
  const text = words().audit;
  return (
    <Drawer title={record.action} actions={<CopyId id={record.auditId} short />} onClose={onClose}>
      <Facts
        rows={[
          [text.actor, <Actor key="actor" of={record.actor} />],
          [text.claimed, record.claimedActor],
          [text.at, <When key="at" at={record.at} shape="exact" />],
          [text.address, record.address],
          [text.subject, `${record.subjectType} ${record.subjectId}`],
          [text.account, record.accountId],
          [text.request, <CopyId key="request" id={record.requestId} />],
          [text.count, record.count > 1 ? String(record.count) : null],
        ]}
      />
      {record.changes.length > 0 ? (
        <Section title={text.changes}>
          <Changes changes={record.changes} />
        </Section>
      ) : null}
    </Drawer>
  );
}
