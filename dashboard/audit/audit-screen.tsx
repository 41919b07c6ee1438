// Who did what, newest first.
import { useMemo } from 'react';
import { usePages } from '../graph/pages';
import { When } from '../kit/when';
import { ExportLink } from '../lists/export-link';
import { FollowTools } from '../lists/follow-tools';
import { List } from '../lists/list';
import { useLiveList } from '../lists/live-list';
import { Nothing } from '../lists/nothing';
import { Pair } from '../lists/pair';
import type { Column } from '../lists/rows';
import { isSpan, spanOf } from '../lists/spans';
import { useKnownAddress } from '../lists/use-known';
import { Happened } from '../live/queries';
import { Actor } from '../shell/actors';
import { printSearch, type Search } from '../shell/address';
import { Screen } from '../shell/shell';
import { en } from '../strings/en';
import { timeZone, words } from '../strings/language';
import { AuditFilters } from './audit-filters';
import { type AuditRowFragment, AuditRows, type AuditRowsQuery } from './queries';
import { RecordDrawer } from './record-drawer';
import { actionWord, SubjectName } from './subject';

const known = { action: Object.keys(en.audit.actions), since: isSpan };

const shape = {
  of: ({ auditRecords }: AuditRowsQuery) => auditRecords,
  keyOf: ({ auditId }: AuditRowFragment) => auditId,
};

/** Of some records the log tells what they are about in another way, and of logins of programs nothing. */
const source = { document: Happened, types: null };

export function AuditScreen() {
  const { address, search, filters, open, change } = useKnownAddress(known);
  const text = words().audit;
  const asked = useMemo(() => askedBy(filters), [filters]);
  const pages = usePages(AuditRows, asked, shape);
  const columns = useMemo(columnsOf, []);
  const opened = search['record'];
  const record = pages.rows.find(({ auditId }) => auditId === opened);
  const actors = useMemo(() => pages.rows.map(({ actor }) => actor), [pages.rows]);
  const live = useLiveList({ filter: asked, pages, keyOf: shape.keyOf, isHeld: opened !== undefined }, source);
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
      below={<AuditFilters address={address} actors={actors} onChange={change} />}
    >
      <List
        pages={pages}
        live={live}
        label={text.title}
        columns={columns}
        sortedBy={['at', 'descending']}
        phone={PhoneRow}
        keyOf={shape.keyOf}
        nameOf={({ action, actor }) => `${actionWord(action)}, ${actor}`}
        selected={opened ?? null}
        hrefOf={(key) => `/audit${printSearch({ ...search, record: key })}`}
        onOpen={open}
        empty={<Nothing title={text.nothing} />}
      />
      {opened ? <RecordDrawer auditId={opened} row={record} onClose={() => change({ record: '' })} /> : null}
    </Screen>
  );
}

function askedBy({ subject, actor, action, since }: Search) {
  return {
    subjectId: subject ?? null,
    filter: { actor: actor ?? null, action: action ?? null, ...spanOf(since, timeZone()) },
  };
}

function columnsOf(): Column<AuditRowFragment>[] {
  const text = words().audit;
  return [
    {
      id: 'action',
      title: text.action,
      least: 220,
      cell: ({ action, count }) => (
        <strong>{count > 1 ? `${actionWord(action)} × ${count}` : actionWord(action)}</strong>
      ),
    },
    { id: 'actor', title: text.actor, width: 170, cell: ({ actor }) => <Actor of={actor} /> },
    {
      id: 'subject',
      title: text.subject,
      least: 160,
      cell: (record) => <SubjectName of={record} />,
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

function PhoneRow(record: AuditRowFragment) {
  const { action, actor, at } = record;
  return (
    <>
      <Pair
        start={<strong>{actionWord(action)}</strong>}
        end={
          <span className="faint">
            <When at={at} />
          </span>
        }
      />
      <Pair
        isStartFirst
        start={
          <span className="soft">
            <Actor of={actor} />
          </span>
        }
        end={
          <span className="faint">
            <SubjectName of={record} />
          </span>
        }
      />
    </>
  );
}
