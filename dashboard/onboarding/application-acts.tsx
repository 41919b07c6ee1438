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

const beforeSignature = ['INITIATED', 'AWAITING_SIGNATURE', 'SIGNATURE_FAILED'];

export function ApplicationActs({ application, again }: { application: ShownApplication; again(): void }) {
  const { search, change } = useAddress();
  const text = words().onboarding;
  const mayWrite = useMay('onboarding:write');
  const mayApprove = useMay('onboarding:approve');
  const actor = useActorName();
  const waiting = usePendingApproval(application.id);
  const isOpen = beforeSignature.includes(application.status);
  const isToApprove = application.status === 'PROCESSING';
  const acts: readonly (readonly [ActName, boolean])[] = [
    ['approve', isToApprove && mayApprove && !waiting],
    ['refuse', isToApprove && mayWrite],
    ['resend', isOpen && mayWrite],
    ['abandon', isOpen && mayWrite],
  ];
  const possible = acts.filter(([, is]) => is).map(([act]) => act);
  const asked = search['act'];
  const { held, isGone } = useHeld(
    asked ? `${asked} ${application.id}` : null,
    possible.find((act) => act === asked),
  );
  const isRefused = acts.some(([act]) => act === asked) && !held;
  return (
    <>
      {isRefused ? (
        <NotOffered why={(asked === 'approve' ? mayApprove : mayWrite) ? 'invalidState' : 'forbidden'} />
      ) : null}
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
