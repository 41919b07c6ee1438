// What staff do with an application: approve with a second person, refuse, abandon, send the link again.
import { Check, Mail, X } from 'lucide-react';
import { useState } from 'react';
import { type ActOutcome, useAct, useAsk } from '../graph/ask';
import type { AskError } from '../graph/refusal-code';
import { Button } from '../kit/button';
import { forgetDraft, NotOffered, ReasonAct, useHeld } from '../kit/form';
import { Go } from '../kit/go';
import kit from '../kit/kit.module.css';
import { SecretOnce } from '../kit/secret';
import { When } from '../kit/when';
import { useReadOnActs } from '../live/read-on';
import { proposalActs } from '../proposals/proposed';
import { useActorName } from '../shell/actors';
import { useAddress } from '../shell/address';
import { useToast } from '../shell/toasts';
import { useMay } from '../shell/viewer';
import { words } from '../strings/language';
import type { ShownApplication } from './life';
import {
  AbandonOnboarding,
  ApprovalsOfApplications,
  ApproveOnboarding,
  RefuseOnboarding,
  ResendActivation,
} from './queries';

type ActName = 'approve' | 'refuse' | 'abandon' | 'resend';

/** As the graph calls them, in the order of the buttons. */
const kinds = { approve: 'APPROVE', refuse: 'REFUSE', resend: 'RESEND', abandon: 'ABANDON' } as const;
const actNames = Object.keys(kinds) as ActName[];

export function ApplicationActs({ application, again }: { application: ShownApplication; again(): void }) {
  const { search, change } = useAddress();
  const text = words().onboarding;
  const actor = useActorName();
  const waiting = usePendingApproval(application.id);
  const judged = (act: ActName) => application.actions.find(({ action }) => action === kinds[act]);
  // One approval waits for its second person; another one beside it would be of no use.
  const isPossible = (act: ActName) => judged(act)?.allowed === true && !(act === 'approve' && waiting);
  const possible = actNames.filter(isPossible);
  const asked = actNames.find((act) => act === search['act']) ?? null;
  const { held, isGone } = useHeld(
    asked ? `${asked} ${application.id}` : null,
    possible.find((act) => act === asked),
  );
  return (
    <>
      {asked && !held ? <NotOffered why={judged(asked)?.reason?.code ?? 'invalidState'} /> : null}
      {waiting ? (
        <div className={kit.note} data-tone="warn">
          <span>
            {text.waits(actor(waiting.proposedBy) ?? '')} <When at={waiting.expiresAt} />
          </span>
          <Go to={`/proposals/${waiting.proposalId}`} className={kit.button}>
            {text.toProposal}
          </Go>
        </div>
      ) : null}
      {possible.length > 0 ? (
        <div className={kit.lead}>
          {possible.map((act) => (
            <Button key={act} look={act === 'approve' ? 'primary' : 'usual'} onClick={() => change({ act })}>
              {icons[act]}
              {text.acts[act]}
            </Button>
          ))}
        </div>
      ) : null}
      {held ? (
        <AskedAct act={held} isGone={isGone} id={application.id} again={again} onClose={() => change({ act: '' })} />
      ) : null}
    </>
  );
}

const icons = {
  approve: <Check aria-hidden />,
  refuse: <X aria-hidden />,
  abandon: <X aria-hidden />,
  resend: <Mail aria-hidden />,
};

function usePendingApproval(id: string) {
  const may = useMay('proposals:read');
  const { data, again } = useAsk(ApprovalsOfApplications, {}, { isPaused: !may });
  useReadOnActs(proposalActs, null, () => may && again(), { isLooked: may });
  return data?.proposals.edges
    .map(({ node }) => node)
    .find(({ kind, subjectId }) => kind === 'ONBOARDING_APPROVAL' && subjectId === id);
}

interface AskedProps {
  act: ActName;
  isGone: boolean;
  id: string;
  again(): void;
  onClose(): void;
}

function AskedAct({ act, isGone, id, again, onClose }: AskedProps) {
  const text = words().onboarding;
  const tell = useToast();
  const draft = `${act} ${id}`;
  const approve = useAct(ApproveOnboarding);
  const refuse = useAct(RefuseOnboarding);
  const abandon = useAct(AbandonOnboarding);
  const resend = useAct(ResendActivation);
  const [error, setError] = useState<AskError | null>(null);
  const [link, setLink] = useState<string | null>(null);

  async function settle(outcome: ActOutcome<unknown>): Promise<void> {
    if (outcome.error) return setError(outcome.error);
    forgetDraft(draft);
    tell(text.done[act]);
    again();
    onClose();
  }
  async function send(reason: string): Promise<void> {
    const outcome = await resend.run({ id, reason });
    if (outcome.error) return setError(outcome.error);
    forgetDraft(draft);
    setLink(outcome.data.resendOnboardingActivation.verificationLink);
    again();
  }
  if (link) return <SecretOnce title={text.newLink} secrets={[[text.link, link]]} onClose={onClose} />;
  const common = {
    title: text.acts[act],
    hint: text.hints[act],
    confirm: text.acts[act],
    isDangerous: act === 'refuse' || act === 'abandon',
    isRunning: approve.isRunning || refuse.isRunning || abandon.isRunning || resend.isRunning,
    isGone,
    error,
    onClose,
    draft,
  };
  if (act === 'resend') return <ReasonAct {...common} onSubmit={(reason) => void send(reason)} />;
  const run = { approve, refuse, abandon }[act].run;
  return <ReasonAct {...common} onSubmit={(reason) => void run({ id, reason }).then(settle)} />;
}
