// The API keys of a merchant: issued once in full view, revoked for good.

import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useAct, useAsk } from '../graph/ask';
import type { AskError } from '../graph/refusal-code';
import { Button } from '../kit/button';
import { Chip, stateWord } from '../kit/chip';
import { Section } from '../kit/facts';
import { forgetDraft, ReasonAct } from '../kit/form';
import kit from '../kit/kit.module.css';
import { PartRefused, SkeletonLines } from '../kit/states';
import { When } from '../kit/when';
import { useReadOnActs } from '../live/read-on';
import { lazyDialog } from '../shell/lazy-part';
import { useToast } from '../shell/toasts';
import { useMay } from '../shell/viewer';
import { words } from '../strings/language';
import { keyActs, type ShownMerchant } from './life';
import { type KeyRowFragment, MerchantKeys, RevokeApiKey } from './queries';

const IssueKey = lazyDialog(() => import('./issue-key').then((module) => module.IssueKey));

export function MerchantKeysList({ merchant }: { merchant: ShownMerchant }) {
  const text = words().merchants;
  const mayRead = useMay('keys:read');
  const mayWrite = useMay('keys:write');
  const { data, error, again } = useAsk(
    MerchantKeys,
    { merchantId: merchant.merchantId, first: 50, after: null },
    { isPaused: !mayRead },
  );
  useReadOnActs(keyActs, merchant.merchantId, () => {
    if (mayRead) again();
  });
  const [isIssuing, setIssuing] = useState(false);
  const [revoked, setRevoked] = useState<KeyRowFragment | null>(null);
  if (!mayRead) return null;
  const keys = data?.apiKeys.edges.map(({ node }) => node);
  return (
    <Section
      title={text.keys}
      aside={
        mayWrite ? (
          <Button onClick={() => setIssuing(true)}>
            <Plus aria-hidden />
            {text.issue}
          </Button>
        ) : null
      }
    >
      {error && !keys ? <PartRefused error={error} retry={again} /> : null}
      {keys || error ? null : <SkeletonLines count={2} />}
      {keys?.length === 0 ? <p className="soft">{text.noKeys}</p> : null}
      <ul className={kit.box}>
        {keys?.map((key) => (
          <li key={key.keyId} className={kit.boxRow}>
            <div>
              <div>{key.label}</div>
              <div className="faint">
                {[stateWord(key.kind), key.terminalId].filter(Boolean).join(' · ')} ·{' '}
                <span className="mono">{key.keyId.slice(-12)}</span> ·{' '}
                <When at={key.revokedAt ?? key.createdAt} shape="day" />
              </div>
              <div className="faint">
                {key.lastUsedAt ? (
                  <>
                    {text.lastUsed} <When at={key.lastUsedAt} shape="hour" />
                  </>
                ) : (
                  text.neverUsed
                )}
              </div>
            </div>
            <Chip state={key.status} />
            {mayWrite && key.status === 'ACTIVE' ? (
              <Button onClick={() => setRevoked(key)}>{text.revoke}</Button>
            ) : null}
          </li>
        ))}
      </ul>
      <Suspense>
        {isIssuing ? <IssueKey merchant={merchant} onIssued={again} onClose={() => setIssuing(false)} /> : null}
      </Suspense>
      {revoked ? <RevokeDialog row={revoked} onClose={() => setRevoked(null)} again={again} /> : null}
    </Section>
  );
}

function RevokeDialog({ row, again, onClose }: { row: KeyRowFragment; again(): void; onClose(): void }) {
  const text = words().merchants;
  const [error, setError] = useState<AskError | null>(null);
  const tell = useToast();
  const revoke = useAct(RevokeApiKey);
  const { keyId } = row;
  const draft = `revoke ${keyId}`;
  async function submit(reason: string): Promise<void> {
    const outcome = await revoke.run({ keyId, reason });
    if (outcome.error) return setError(outcome.error);
    forgetDraft(draft);
    tell(text.done.revoked);
    again();
    onClose();
  }
  return (
    <ReasonAct
      title={`${text.revoke}: ${row.label}`}
      hint={text.revokeHint}
      confirm={text.revoke}
      isDangerous
      isRunning={revoke.isRunning}
      error={error}
      draft={draft}
      onSubmit={(reason) => void submit(reason)}
      onClose={onClose}
    />
  );
}
