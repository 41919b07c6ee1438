// One act that needs two people: what it would do, who asked for it, and the second person's yes or no.
import { useParams } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { subjectWord } from '../audit/subject';
import { type ActOutcome, useAct, useAsk } from '../graph/ask';
import type { AskError } from '../graph/refusal-code';
import { Button } from '../kit/button';
import { Changes } from '../kit/changes';
import { Chip, stateWord } from '../kit/chip';
import { CopyId } from '../kit/copy-id';
import { Facts, Section } from '../kit/facts';
import { ActDialog, ReasonAct, useHeld } from '../kit/form';
import { Go } from '../kit/go';
import kit from '../kit/kit.module.css';
import { Drawer } from '../kit/overlays';
import { Empty, RefusedNote, SkeletonLines, Stale } from '../kit/states';
import { When } from '../kit/when';
import { useReadOnActs } from '../live/read-on';
import { useActorName } from '../shell/actors';
import { useAddress } from '../shell/address';
import { useToast } from '../shell/toasts';
import { useMay, useViewer } from '../shell/viewer';
import { words } from '../strings/language';
import { proposalActs, useProposedSubject } from './proposed';
import { ConfirmProposal, ProposalLife, type ProposalLifeQuery, RejectProposal } from './queries';

type Proposal = NonNullable<ProposalLifeQuery['proposal']>;

const rights: Record<Proposal['kind'], string> = {
  LEDGER_BOOKING: 'ledger:book',
  PAYOUT_ACCOUNT: 'payout-account:write',
  ONBOARDING_APPROVAL: 'onboarding:approve',
  CLIENT_SCOPES: 'rights:write',
};

export function ProposalDrawer() {
  const { proposalId } = useParams({ strict: false }) as { proposalId: string };
  const { open, hrefOf } = useAddress();
  const text = words().proposals;
  const { data, readAt, error, again, isOld } = useAsk(ProposalLife, { proposalId });
  const proposal = data?.proposal;
  useReadOnActs(proposalActs, null, again, { isLooked: proposal?.status === 'PENDING' });
  return (
    <Drawer
      of={proposalId}
      title={text.one}
      name={proposal && stateWord(proposal.kind)}
      actions={<CopyId id={proposalId} short />}
      onClose={() => open(hrefOf('/proposals'))}
    >
      {proposal ? (
        <>
          <div className={kit.lead}>
            <strong>{stateWord(proposal.kind)}</strong>
            <Chip state={proposal.status} />
          </div>
          <Answer proposal={proposal} again={again} />
          <Details proposal={proposal} />
        </>
      ) : null}
      {data && !proposal ? <Empty title={text.unknown} /> : null}
      {error && !data ? <RefusedNote error={error} retry={again} /> : null}
      {isOld ? <Stale readAt={readAt} retry={again} /> : null}
      {!data && !error ? <SkeletonLines count={8} /> : null}
    </Drawer>
  );
}

function Answer({ proposal, again }: { proposal: Proposal; again(): void }) {
  const { search, change } = useAddress();
  const text = words().proposals;
  const viewer = useViewer();
  const may = useMay(rights[proposal.kind]);
  const actor = useActorName();
  const subjectOf = useProposedSubject();
  const tell = useToast();
  const confirm = useAct(ConfirmProposal);
  const reject = useAct(RejectProposal);
  const [error, setError] = useState<AskError | null>(null);
  const { proposalId } = proposal;
  const isOwn = proposal.proposedBy === viewer.credentialId;
  const isPending = proposal.status === 'PENDING';
  const asked = search['act'];
  const possible = ([isOwn ? [] : ['confirm'], ['reject']] as const).flat();
  const { held, isGone } = useHeld(
    asked ? `${asked} ${proposalId}` : null,
    isPending && may ? possible.find((act) => act === asked) : undefined,
  );
  const close = () => {
    setError(null);
    change({ act: '' });
  };
  function settle(outcome: ActOutcome<unknown>, done: string): void {
    setError(outcome.error);
    if (outcome.error) return;
    tell(done);
    close();
    again();
  }
  if (!isPending && !held) return null;
  if (!may)
    return (
      <p className={kit.note} data-tone="quiet">
        {words().faults.codes.forbidden}
      </p>
    );
  const common = { isRunning: confirm.isRunning || reject.isRunning, isGone, error, onClose: close };
  return (
    <>
      {isPending ? <Choice isOwn={isOwn} onChoose={(act) => change({ act })} /> : null}
      {held === 'confirm' ? (
        <ActDialog
          {...common}
          title={`${text.confirm}: ${stateWord(proposal.kind)}`}
          hint={text.confirmHint(actor(proposal.proposedBy) ?? '')}
          confirm={text.confirm}
          onSubmit={() => void confirm.run({ proposalId }).then((outcome) => settle(outcome, text.confirmed))}
        >
          <Details proposal={proposal} />
        </ActDialog>
      ) : null}
      {held === 'reject' ? (
        <ReasonAct
          {...common}
          title={`${text.reject}: ${stateWord(proposal.kind)}`}
          hint={subjectOf(proposal)}
          confirm={text.reject}
          isDangerous
          draft={`reject ${proposalId}`}
          onSubmit={(reason) =>
            void reject.run({ proposalId, reason }).then((outcome) => settle(outcome, text.rejected))
          }
        />
      ) : null}
    </>
  );
}

/** Who proposed it may take it back by rejecting it, and not confirm it. */
function Choice({ isOwn, onChoose }: { isOwn: boolean; onChoose(act: 'confirm' | 'reject'): void }) {
  const text = words().proposals;
  return (
    <>
      {isOwn ? (
        <p className={kit.note} data-tone="warn">
          {text.own}
        </p>
      ) : null}
      <div className={kit.lead}>
        {isOwn ? null : (
          <Button look="primary" onClick={() => onChoose('confirm')}>
            <Check aria-hidden />
            {text.confirm}
          </Button>
        )}
        <Button onClick={() => onChoose('reject')}>
          <X aria-hidden />
          {text.reject}
        </Button>
      </div>
    </>
  );
}

function Details({ proposal }: { proposal: Proposal }) {
  const text = words().proposals;
  const actor = useActorName();
  const subjectOf = useProposedSubject();
  const place = { application: `/onboarding/${proposal.subjectId}`, merchant: `/merchants/${proposal.subjectId}` };
  const to = place[proposal.subjectType as keyof typeof place];
  return (
    <>
      <Facts
        rows={[
          [
            text.subject,
            to ? (
              <Go key="subject" to={to}>
                {subjectOf(proposal)}
              </Go>
            ) : (
              `${subjectWord(proposal.subjectType)} ${proposal.subjectId}`
            ),
          ],
          [words().reason, proposal.reason],
          [text.proposedBy, actor(proposal.proposedBy)],
          [text.proposedAt, <When key="at" at={proposal.proposedAt} shape="exact" />],
          [
            text.expires,
            proposal.status === 'PENDING' ? <When key="until" at={proposal.expiresAt} shape="exact" /> : null,
          ],
          [text.endedBy, actor(proposal.endedBy)],
          [text.endedAt, proposal.endedAt ? <When key="end" at={proposal.endedAt} shape="exact" /> : null],
          [text.rejection, proposal.rejection],
        ]}
      />
      {proposal.changes.length > 0 ? (
        <Section title={text.changes}>
          <Changes changes={proposal.changes} />
        </Section>
      ) : null}
    </>
  );
}
