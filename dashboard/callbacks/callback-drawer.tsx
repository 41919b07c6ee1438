// One callback: each attempt with what was sent and what came back, as it is stored, and the way to send it again.
import { useParams } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useAct, useAsk } from '../graph/ask';
import type { AskError } from '../graph/refusal-code';
import { Button } from '../kit/button';
import { Chip, stateWord } from '../kit/chip';
import { Code } from '../kit/code';
import { CopyId } from '../kit/copy-id';
import { Facts, Section } from '../kit/facts';
import { forgetDraft, NotOffered, ReasonAct } from '../kit/form';
import { Go } from '../kit/go';
import kit from '../kit/kit.module.css';
import { Drawer } from '../kit/overlays';
import { refusalWord } from '../kit/refusal-word';
import { Empty, RefusedNote, SkeletonLines, Stale } from '../kit/states';
import { When } from '../kit/when';
import { useReadOnThing } from '../live/read-on';
import { useAddress } from '../shell/address';
import { useToast } from '../shell/toasts';
import { words } from '../strings/language';
import { AboutLink, aboutWord, targetOf } from './about';
import { attemptTone, attemptWord } from './attempt-word';
import style from './callbacks.module.css';
import { endWords, StatusChip } from './facts-of';
import { CallbackLife, type CallbackLifeQuery, RedeliverCallback } from './queries';
import { asReceived } from './received';

type Life = NonNullable<CallbackLifeQuery['callback']>;

export function CallbackDrawer() {
  const { callbackId } = useParams({ strict: false }) as { callbackId: string };
  const { open, hrefOf } = useAddress();
  const text = words().callbacks;
  const { data, readAt, error, again, isOld } = useAsk(CallbackLife, { callbackId });
  const callback = data?.callback;
  const merchantId = callback?.merchant?.merchantId ?? null;
  // Of the first attempt nothing is told when it goes out as it should.
  const isLooked = callback?.status === 'PENDING' || callback?.status === 'SENDING';
  useReadOnThing(callback ? { kinds: ['callbacks'], id: callbackId, merchantId } : null, again, { isLooked });
  return (
    <Drawer
      of={callbackId}
      title={text.one}
      name={callback && aboutWord(callback)}
      actions={<CopyId id={callbackId} short />}
      onClose={() => open(hrefOf('/callbacks'))}
    >
      {callback ? <Details callback={callback} again={again} /> : null}
      {data && !callback ? <Empty title={text.unknown} /> : null}
      {error && !data ? <RefusedNote error={error} retry={again} /> : null}
      {isOld ? <Stale readAt={readAt} retry={again} /> : null}
      {!data && !error ? <SkeletonLines count={10} /> : null}
    </Drawer>
  );
}

function Details({ callback, again }: { callback: Life; again(): void }) {
  const text = words().callbacks;
  const { endpoint } = callback;
  return (
    <>
      <Lead callback={callback} again={again} />
      <Facts
        rows={[
          [text.merchant, callback.merchant?.name],
          [text.created, <When key="created" at={callback.createdAt} shape="exact" />],
          [text.next, callback.nextAttemptAt ? <When key="next" at={callback.nextAttemptAt} shape="exact" /> : null],
          [text.endedAt, callback.endedAt ? <When key="ended" at={callback.endedAt} shape="exact" /> : null],
          [text.why, endWords(callback.reason)],
          [text.about, <AboutLink key="about" callback={callback} />],
          [
            text.endpoint,
            endpoint ? (
              <Go key="endpoint" to={`/callbacks/endpoints/${endpoint.endpointId}`}>
                {endpoint.address ?? stateWord(endpoint.kind)}
              </Go>
            ) : null,
          ],
        ]}
      />
      <Section title={text.attempts}>
        {callback.attempts.length === 0 ? <p className="soft">{text.notYet}</p> : null}
        <div className={kit.box}>
          {callback.attempts.map((attempt) => (
            <Attempt key={attempt.number} attempt={attempt} />
          ))}
        </div>
      </Section>
      <Section title={text.request}>
        <Code label={`POST ${targetOf(callback) ?? callback.path}`} text={callback.body} />
      </Section>
    </>
  );
}

function Attempt({ attempt }: { attempt: Life['attempts'][number] }) {
  const { number, at, status, result, durationMs, excerpt, nextAt, isManual } = attempt;
  const text = words().callbacks;
  return (
    <div className={style.attempt}>
      <div className={style.attemptHead}>
        <span className={`number ${style.turn}`}>{number}</span>
        <Chip state={attemptWord(result)} tone={attemptTone(result)} />
        {status === null ? null : <span className="number">HTTP {status}</span>}
        {durationMs === null ? null : <span className="soft number">{durationMs} ms</span>}
        {isManual ? <span className="soft">{text.byHand}</span> : null}
        <span className={`faint ${style.last}`}>
          <When at={at} shape="exact" />
        </span>
      </div>
      {excerpt ? <Code label={text.response} text={asReceived(excerpt)} /> : null}
      {nextAt ? (
        <p className="soft">
          {text.thenAt} <When at={nextAt} shape="exact" />
        </p>
      ) : null}
    </div>
  );
}

function Lead({ callback, again }: { callback: Life; again(): void }) {
  const text = words().callbacks;
  const { search, change } = useAddress();
  const why = callback.actions.find(({ action }) => action === 'REDELIVER')?.reason?.code ?? null;
  const may = why === null;
  const redeliver = useAct(RedeliverCallback);
  const [error, setError] = useState<AskError | null>(null);
  const tell = useToast();
  const { callbackId } = callback;
  const draft = `redeliver ${callbackId}`;
  const close = () => {
    setError(null);
    change({ act: '' });
  };
  async function send(reason: string): Promise<void> {
    const outcome = await redeliver.run({ callbackId, reason });
    if (outcome.error) return setError(outcome.error);
    forgetDraft(draft);
    close();
    tell(text.queued);
    // The attempt itself takes a moment.
    setTimeout(again, lookAgainMs);
  }
  return (
    <>
      <div className={kit.lead}>
        <strong>{stateWord(callback.kind)}</strong>
        <StatusChip status={callback.status} />
        <span className={kit.leadActs}>
          <Button
            onClick={() => change({ act: 'redeliver' })}
            disabled={!may}
            title={why === null ? undefined : refusalWord(why)}
          >
            <RotateCw aria-hidden />
            {text.redeliver}
          </Button>
        </span>
      </div>
      {why === null ? null : <NotOffered why={why} />}
      {lost.has(callback.status) ? <p className="soft">{words().callbackHints[callback.status]}</p> : null}
      {search['act'] === 'redeliver' && may ? (
        <ReasonAct
          title={text.redeliver}
          hint={text.redeliverHint}
          confirm={text.redeliver}
          isRunning={redeliver.isRunning}
          error={error}
          draft={draft}
          onSubmit={(reason) => void send(reason)}
          onClose={close}
        />
      ) : null}
    </>
  );
}

const lookAgainMs = 1_500;

/** What is not sent again by itself: what that means is said. */
const lost: ReadonlySet<string> = new Set(['REJECTED', 'EXHAUSTED', 'ENDED']);
