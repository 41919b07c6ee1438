// The terminals of a merchant, and whether payments may be made through each: changed for a reason, taken back by the message that tells of it.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAct } from '../graph/ask';
import type { AskError } from '../graph/refusal-code';
import { Button } from '../kit/button';
import { Chip, stateWord } from '../kit/chip';
import { Section } from '../kit/facts';
import { forgetDraft, ReasonAct } from '../kit/form';
import kit from '../kit/kit.module.css';
import { sayRefusal } from '../kit/refusal-word';
import { useAddress } from '../shell/address';
import { useToast } from '../shell/toasts';
import { useMay } from '../shell/viewer';
import { words } from '../strings/language';
import type { ShownMerchant } from './life';
import { SetTerminalStatus } from './queries';

type ShownTerminal = ShownMerchant['terminals'][number];

export function MerchantTerminals({ merchant: { terminals } }: { merchant: ShownMerchant }) {
  const text = words().merchants;
  const { search } = useAddress();
  const may = useMay('merchants:write');
  const [asked, setAsked] = useState<ShownTerminal | null>(null);
  return (
    <Section title={text.terminals}>
      {terminals.length === 0 ? <p className="soft">{text.noTerminals}</p> : null}
      <div className={kit.box}>
        {terminals.map((terminal) => (
          <TerminalRow key={terminal.terminalId} terminal={terminal} isSought={terminal.terminalId === search['of']}>
            {may ? <Button onClick={() => setAsked(terminal)}>{text.acts[actOf(terminal)]}</Button> : null}
          </TerminalRow>
        ))}
      </div>
      {asked ? <StatusDialog terminal={asked} onClose={() => setAsked(null)} /> : null}
    </Section>
  );
}

interface RowProps {
  terminal: ShownTerminal;
  /** The address names it: it is what somebody came for. */
  isSought: boolean;
  children: ReactNode;
}

function TerminalRow({ terminal, isSought, children }: RowProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSought) row.current?.scrollIntoView({ block: 'center' });
  }, [isSought]);
  return (
    <div ref={row} className={kit.boxRow} aria-current={isSought || undefined}>
      <div>
        <div>{terminal.label}</div>
        <div className="faint">{factsOf(terminal)}</div>
      </div>
      <Chip state={terminal.status} />
      {children}
    </div>
  );
}

function StatusDialog({ terminal, onClose }: { terminal: ShownTerminal; onClose(): void }) {
  const { terminalId, label, status } = terminal;
  const text = words().merchants;
  const act = actOf(terminal);
  const draft = `${act} terminal ${terminalId}`;
  const tell = useToast();
  const { isRunning, run } = useAct(SetTerminalStatus);
  const [error, setError] = useState<AskError | null>(null);
  async function submit(reason: string): Promise<void> {
    const outcome = await run({ terminalId, status: status === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE', reason });
    if (outcome.error) return setError(outcome.error);
    forgetDraft(draft);
    tell(text.done.terminal, 'good', () => void takeBack());
    onClose();
  }
  async function takeBack(): Promise<void> {
    const outcome = await run({ terminalId, status, reason: words().undo });
    if (outcome.error) tell(sayRefusal(outcome.error), 'bad');
    else tell(text.done.terminal);
  }
  return (
    <ReasonAct
      title={`${text.acts[act]}: ${label}`}
      hint={text.hints[act]}
      confirm={text.acts[act]}
      isDangerous={act === 'deactivate'}
      isRunning={isRunning}
      error={error}
      draft={draft}
      onSubmit={(reason) => void submit(reason)}
      onClose={onClose}
    />
  );
}

function actOf({ status }: ShownTerminal): 'activate' | 'deactivate' {
  return status === 'ACTIVE' ? 'deactivate' : 'activate';
}

function factsOf({ captureType, methods, currencies, origins }: ShownTerminal): string {
  const facts = [stateWord(captureType), methods.map(stateWord).join(', '), currencies.join(', '), origins.join(', ')];
  return facts.filter(Boolean).join(' · ');
}
