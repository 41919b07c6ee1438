// One address that callbacks go to: its health, its signing secrets, what went there last, and what brings it back.
import { useParams } from '@tanstack/react-router';
import { KeyRound, Power } from 'lucide-react';
import { useState } from 'react';
import { useAct, useAsk } from '../graph/ask';
import { type AtOnce, useAtOnce, useTakenBack } from '../graph/at-once';
import type { AskError } from '../graph/refusal-code';
import { Button } from '../kit/button';
import { Chip, stateWord } from '../kit/chip';
import { CopyId } from '../kit/copy-id';
import { printPercent } from '../kit/count';
import { Facts, Section } from '../kit/facts';
import { forgetDraft, NotOffered, ReasonAct } from '../kit/form';
import { Go } from '../kit/go';
import kit from '../kit/kit.module.css';
import { Middle } from '../kit/middle';
import { Drawer } from '../kit/overlays';
import { SecretOnce } from '../kit/secret';
import { Empty, RefusedNote, SkeletonLines, Stale } from '../kit/states';
import { When } from '../kit/when';
import { useReadOnThing } from '../live/read-on';
import { useAddress } from '../shell/address';
import { useToast } from '../shell/toasts';
import { useMay } from '../shell/viewer';
import { words } from '../strings/language';
import { AboutName } from './about';
import { answerOf } from './attempt-word';
import { HealthChip, LastOutcomes, StatusChip } from './facts-of';
import { EnableCallbackEndpoint, EndpointLife, type EndpointLifeQuery, RotateCallbackSecret } from './queries';
import { RecoverButton } from './recover';

type Endpoint = NonNullable<EndpointLifeQuery['callbackEndpoint']>;

/** As enabling leaves it: of what was before nothing counts any more. */
const healthyOf = ({ health, lastAttempt }: Endpoint): Endpoint['health'] => ({
  ...health,
  state: 'HEALTHY',
  exhaustedInARow: 0,
  warnedPercent: 0,
  failingSince: null,
  reason: null,
  changedAt: lastAttempt?.at ?? health.changedAt,
});

export function EndpointDrawer() {
  const { endpointId } = useParams({ strict: false }) as { endpointId: string };
  const { open, hrefOf } = useAddress();
  const text = words().callbacks;
  const { data, readAt, error, again, isOld } = useAsk(EndpointLife, { endpointId, filter: { endpointId } });
  // What went there last is told of only when it failed.
  useReadOnThing({ kinds: ['endpoints', 'callbacks'], id: endpointId, merchantId: null }, again, { isLooked: true });
  const { shown: endpoint, act } = useAtOnce(data?.callbackEndpoint, endpointId);
  return (
    <Drawer
      of={endpointId}
      title={text.endpoint}
      name={endpoint?.address}
      actions={<CopyId id={endpointId} short />}
      onClose={() => open(hrefOf('/callbacks/endpoints'))}
    >
      {data && endpoint ? (
        <>
          <Lead endpoint={endpoint} act={act} />
          <EndpointFacts endpoint={endpoint} />
          <Secrets endpoint={endpoint} />
          <Merchants endpoint={endpoint} />
          <Section
            title={text.lastOnes}
            aside={<Go to={`/callbacks?endpointId=${encodeURIComponent(endpointId)}`}>{text.all}</Go>}
          >
            {data.callbacks.edges.length === 0 ? (
              <p className="soft">{text.nothing}</p>
            ) : (
              <div className={kit.box}>
                {data.callbacks.edges.map(({ node }) => (
                  <Go key={node.callbackId} to={`/callbacks/${node.callbackId}`} className={kit.boxRow}>
                    <AboutName of={node} />
                    <span className="soft nowrap">{answerOf(node.attempts.at(-1))}</span>
                    <StatusChip status={node.status} />
                    <span className="faint">
                      <When at={node.createdAt} />
                    </span>
                  </Go>
                ))}
              </div>
            )}
          </Section>
        </>
      ) : null}
      {data && !endpoint ? <Empty title={text.unknownEndpoint} /> : null}
      {error && !data ? <RefusedNote error={error} retry={again} /> : null}
      {isOld ? <Stale readAt={readAt} retry={again} /> : null}
      {!data && !error ? <SkeletonLines count={8} /> : null}
    </Drawer>
  );
}

function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const { health, accountId, account, kind, createdAt, lastAttempt } = endpoint;
  const text = words().callbacks;
  return (
    <Facts
      rows={[
        [text.kind, stateWord(kind)],
        [text.account, account ? `${account.name} · ${accountId}` : accountId],
        [text.answer, lastAttempt ? <LastAttempt key="last" attempt={lastAttempt} /> : text.notYet],
        [text.inARow, String(health.exhaustedInARow)],
        [text.warned, printPercent(health.warnedPercent / 100)],
        [text.failingSince, health.failingSince ? <When key="since" at={health.failingSince} shape="exact" /> : null],
        [text.why, health.reason],
        [text.changed, <When key="changed" at={health.changedAt} shape="exact" />],
        [text.created, <When key="created" at={createdAt} shape="exact" />],
      ]}
    />
  );
}

function LastAttempt({ attempt }: { attempt: NonNullable<Endpoint['lastAttempt']> }) {
  const { at, durationMs } = attempt;
  return (
    <>
      {answerOf(attempt)} {durationMs === null ? null : <span className="soft number">{durationMs} ms</span>}{' '}
      <When at={at} shape="exact" />
    </>
  );
}

/** Whose callbacks went here last. */
function Merchants({ endpoint: { merchants } }: { endpoint: Endpoint }) {
  if (merchants.length === 0) return null;
  return (
    <Section title={words().merchants.title}>
      <div className={kit.box}>
        {merchants.map(({ merchantId, name }) => (
          <Go key={merchantId} to={`/merchants/${encodeURIComponent(merchantId)}`} className={kit.boxRow}>
            <span className="ellipsis">{name}</span>
            <span className="faint mono">{merchantId}</span>
          </Go>
        ))}
      </div>
    </Section>
  );
}

function Secrets({ endpoint: { secrets } }: { endpoint: Endpoint }) {
  const text = words().callbacks;
  if (secrets.length === 0) return null;
  return (
    <Section title={text.secrets}>
      <div className={kit.box}>
        {secrets.map(({ secretId, createdAt, expiresAt }) => (
          <div key={secretId} className={kit.boxRow}>
            <CopyId id={secretId} />
            <span className="soft">
              <When at={createdAt} />
            </span>
            {expiresAt ? (
              <span className="soft">
                {text.until} <When at={expiresAt} />
              </span>
            ) : (
              <Chip state="ACTIVE" />
            )}
          </div>
        ))}
      </div>
    </Section>
  );
}

function Lead({ endpoint, act }: { endpoint: Endpoint; act: AtOnce<Endpoint | null | undefined>['act'] }) {
  const text = words().callbacks;
  const { search, change } = useAddress();
  const may = useMay('callbacks:write');
  const tell = useToast();
  const takenBack = useTakenBack();
  const enable = useAct(EnableCallbackEndpoint);
  const rotate = useAct(RotateCallbackSecret);
  const [error, setError] = useState<AskError | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { endpointId, kind, accountId, health, address, lastOutcomes } = endpoint;
  const draft = `rotate ${endpointId}`;
  const close = () => {
    setError(null);
    change({ act: '' });
  };

  async function bringBack(): Promise<void> {
    const refused = await act({ ...endpoint, health: healthyOf(endpoint) }, () => enable.run({ endpointId }));
    if (refused) takenBack(refused);
    else tell(text.enabled);
  }
  async function renew(reason: string): Promise<void> {
    const outcome = await rotate.run({ kind, accountId, reason });
    if (outcome.error) return setError(outcome.error);
    forgetDraft(draft);
    close();
    setSecret(outcome.data.rotateCallbackSecret.secret);
  }

  return (
    <>
      <div className={kit.lead}>
        <strong className="ellipsis">{address ? <Middle text={address} /> : stateWord(kind)}</strong>
        <HealthChip endpoint={endpoint} />
        {lastOutcomes.count + lastOutcomes.retried > 0 ? <LastOutcomes of={lastOutcomes} /> : null}
      </div>
      {may ? (
        <div className={kit.lead}>
          {health.state === 'HEALTHY' ? null : (
            <Button look="primary" onClick={() => void bringBack()}>
              <Power aria-hidden />
              {text.enable}
            </Button>
          )}
          {endpoint.secrets.length > 0 ? (
            <Button onClick={() => change({ act: 'rotate' })}>
              <KeyRound aria-hidden />
              {text.rotate}
            </Button>
          ) : null}
          <RecoverButton endpointId={endpointId} />
        </div>
      ) : null}
      {search['act'] === 'rotate' && !may ? <NotOffered why="forbidden" /> : null}
      {search['act'] === 'rotate' && may ? (
        <ReasonAct
          title={text.rotate}
          hint={text.rotateHint}
          confirm={text.rotate}
          isRunning={rotate.isRunning}
          error={error}
          draft={draft}
          onSubmit={(reason) => void renew(reason)}
          onClose={close}
        />
      ) : null}
      {secret ? (
        <SecretOnce title={text.newSecret} secrets={[[text.secret, secret]]} onClose={() => setSecret(null)} />
      ) : null}
    </>
  );
}
