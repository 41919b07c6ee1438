// One record of the audit, whether the list has it or not: who did what to what, from where, and what changed.
import { useAsk } from '../graph/ask';
import { Changes } from '../kit/changes';
import { CopyId } from '../kit/copy-id';
import { Facts, Section } from '../kit/facts';
import { Drawer } from '../kit/overlays';
import { Empty, RefusedNote, SkeletonLines } from '../kit/states';
import { When } from '../kit/when';
import { useReadOnThing } from '../live/read-on';
import { Actor } from '../shell/actors';
import { words } from '../strings/language';
import { AuditLife, type AuditRowFragment } from './queries';
import { actionWord, SubjectLink } from './subject';

interface RecordProps {
  auditId: string;
  /** As the list has it, if it does. */
  row: AuditRowFragment | undefined;
  onClose(): void;
}

export function RecordDrawer({ auditId, row, onClose }: RecordProps) {
  const text = words().audit;
  const { data, error, again } = useAsk(AuditLife, { auditId });
  // How often it was done still grows.
  useReadOnThing(null, again, { isLooked: true });
  const record = data?.auditRecord ?? row;
  return (
    <Drawer
      of={auditId}
      title={record ? actionWord(record.action) : text.title}
      actions={<CopyId id={auditId} short />}
      onClose={onClose}
    >
      {record ? <Details record={record} /> : null}
      {data && !record ? <Empty title={text.unknown} /> : null}
      {error && !record ? <RefusedNote error={error} retry={again} /> : null}
      {!data && !error && !record ? <SkeletonLines count={8} /> : null}
    </Drawer>
  );
}

function Details({ record }: { record: AuditRowFragment }) {
  const text = words().audit;
  return (
    <>
      <Facts
        rows={[
          [text.actor, <Actor key="actor" of={record.actor} />],
          [text.claimed, record.claimedActor],
          [text.at, <When key="at" at={record.at} shape="exact" />],
          [text.address, record.address],
          [text.subject, <SubjectLink key="subject" of={record} />],
          [text.account, record.accountId],
          [text.request, <CopyId key="request" id={record.requestId} />],
          [text.count, record.count > 1 ? String(record.count) : null],
          [
            text.code,
            <span key="code" className="mono soft">
              {record.action}
            </span>,
          ],
        ]}
      />
      {record.changes.length > 0 ? (
        <Section title={text.changes}>
          <Changes changes={record.changes} />
        </Section>
      ) : null}
    </>
  );
}
