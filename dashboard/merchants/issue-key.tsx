// A new API key of a merchant: what it is for, and then its secrets, shown once.
import { useState } from 'react';
import { useAct } from '../graph/ask';
import { ApiKeyKind } from '../graph/contract';
import type { AskError } from '../graph/refusal-code';
import { stateWord } from '../kit/chip';
import { ActDialog, Field } from '../kit/form';
import { SecretOnce } from '../kit/secret';
import { words } from '../strings/language';
import type { ShownMerchant } from './life';
import { IssueApiKey, type IssueApiKeyMutation } from './queries';

const kinds = Object.values(ApiKeyKind);
type Issued = IssueApiKeyMutation['createApiKey'];

interface IssueProps {
  merchant: ShownMerchant;
  onIssued(): void;
  onClose(): void;
}

export function IssueKey({ merchant, onIssued, onClose }: IssueProps) {
  const text = words().merchants;
  const [issued, setIssued] = useState<Issued | null>(null);
  if (!issued)
    return (
      <IssueDialog
        merchant={merchant}
        onClose={onClose}
        onIssued={(key) => {
          setIssued(key);
          onIssued();
        }}
      />
    );
  return (
    <SecretOnce
      title={text.newKey}
      secrets={[
        [text.key, issued.apiKey],
        [text.consumerKey, issued.consumerKey],
        [text.consumerSecret, issued.consumerSecret],
      ]}
      onClose={onClose}
    />
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
