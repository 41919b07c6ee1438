// The API keys of a merchant: issued once in full view, revoked for good.

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAct, useAsk } from '../graph/ask';
import { ApiKeyKind } from '../graph/contract';
import type { AskError } from '../graph/refusal-code';
import { Button } from '../kit/button';
import { Chip, stateWord } from '../kit/chip';
import { Section } from '../kit/facts';
import { ActDialog, Field, forgetDraft, ReasonAct } from '../kit/form';
import kit from '../kit/kit.module.css';
import { SecretOnce } from '../kit/secret';
import { SkeletonLines } from '../kit/states';
import { When } from '../kit/when';
import { useReadOnActs } from '../live/read-on';
import { useToast } from '../shell/toasts';
import { useMay } from '../shell/viewer';
import { words } from '../strings/language';
import { keyActs, type ShownMerchant } from './life';
import { IssueApiKey, type IssueApiKeyMutation, type KeyRowFragment, MerchantKeys, RevokeApiKey } from './queries';

const kinds = Object.values(ApiKeyKind);
type Issued = IssueApiKeyMutation['createApiKey'];

export function MerchantKeysList({ merchant }: { merchant: ShownMerchant }) {
  const text = words().merchants;
  const mayRead = useMay('keys:read');
  const mayWrite = useMay('keys:write');
  const { data, again } = useAsk(
    MerchantKeys,
    { merchantId: merchant.merchantId, first: 50, after: null },
    { isPaused: !mayRead },
  );
  useReadOnActs(keyActs, merchant.merchantId, () => {
    if (mayRead) again();
  });
  const [isIssuing, setIssuing] = useState(false);
  const [issued, setIssued] = useState<Issued | null>(null);
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
      {keys ? null : <SkeletonLines count={2} />}
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
      {isIssuing ? (
        <IssueDialog
          merchant={merchant}
          onClose={() => setIssuing(false)}
          onIssued={(key) => {
            setIssuing(false);
            setIssued(key);
            again();
          }}
        />
      ) : null}
      {issued ? (
        <SecretOnce
          title={text.newKey}
          secrets={[
            [text.key, issued.apiKey],
            [text.consumerKey, issued.consumerKey],
            [text.consumerSecret, issued.consumerSecret],
          ]}
          onClose={() => setIssued(null)}
        />
      ) : null}
      {revoked ? <RevokeDialog row={revoked} onClose={() => setRevoked(null)} again={again} /> : null}
    </Section>
  );
}

function IssueDialog({
  merchant,
  onIssued,
  onClose,
}: {
  merchant: ShownMerchant;
  onIssued(key: Issued): void;
  onClose(): void;
}) {
  const text = words().merchants;
  const [label, setLabel] = useState('');
  const [kind, setKind] = useState<ApiKeyKind>('CHECKOUT');
  const [terminalId, setTerminalId] = useState(merchant.terminals[0]?.terminalId ?? '');
  const [fault, setFault] = useState<string | null>(null);
  const [error, setError] = useState<AskError | null>(null);
  const issue = useAct(IssueApiKey);
  async function submit(): Promise<void> {
    if (!label.trim()) return setFault(text.labelFault);
    const outcome = await issue.run({
      merchantId: merchant.merchantId,
      label: label.trim(),
      kind,
      terminalId: kind === 'CHECKOUT' ? terminalId : null,
    });
    if (outcome.error) return setError(outcome.error);
    onIssued(outcome.data.createApiKey);
  }
  return (
    <ActDialog
      title={text.issue}
      hint={text.issueHint}
      confirm={text.issue}
      isRunning={issue.isRunning}
      error={error}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Field label={text.label} hint={text.labelHint} fault={fault}>
        {(field) => (
          <input
            {...field}
            value={label}
            onChange={({ target }) => {
              setFault(null);
              setLabel(target.value);
            }}
          />
        )}
      </Field>
      <Field label={text.kind}>
        {(field) => (
          <select {...field} value={kind} onChange={({ target }) => setKind(target.value as ApiKeyKind)}>
            {kinds.map((each) => (
              <option key={each} value={each}>
                {stateWord(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {kind === 'CHECKOUT' ? (
        <Field label={words().payments.terminal}>
          {(field) => (
            <select {...field} value={terminalId} onChange={({ target }) => setTerminalId(target.value)}>
              {merchant.terminals.map((terminal) => (
                <option key={terminal.terminalId} value={terminal.terminalId}>
                  {terminal.label}
                </option>
              ))}
            </select>
          )}
        </Field>
      ) : null}
    </ActDialog>
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
