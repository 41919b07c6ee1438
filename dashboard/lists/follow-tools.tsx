// How a list is followed: whether it is up to date, the button that holds it, and what has come while the reader was further down.
import { ArrowUp, Pause, Play } from 'lucide-react';
import { Button } from '../kit/button';
import { printClock } from '../kit/when';
import { ConnectionState, useIsAway } from '../shell/connection-state';
import { words } from '../strings/language';
import style from './follow-tools.module.css';
import type { LiveList } from './live-list';

type Shown = Pick<LiveList<never>, 'mayListen' | 'error' | 'readAt' | 'isPaused' | 'setPaused' | 'waiting' | 'show'>;

export function FollowTools({ live }: { live: Shown }) {
  const { mayListen, error, readAt, isPaused, setPaused, waiting } = live;
  const text = words();
  const isAway = useIsAway();
  if (!mayListen || error)
    return <span className={style.follow}>{error ? text.live.followRefused : text.live.followNone}</span>;
  return (
    <>
      {isAway && readAt > 0 ? <span className={style.follow}>{text.faults.stale(printClock(readAt))}</span> : null}
      <ConnectionState />
      <PauseButton isPaused={isPaused} setPaused={setPaused} waiting={waiting} />
    </>
  );
}

/** Holds what comes, or lets it go on; says how much waits. */
export function PauseButton({ isPaused, setPaused, waiting }: Pick<Shown, 'isPaused' | 'setPaused' | 'waiting'>) {
  const word = isPaused ? words().live.resume(waiting) : words().live.pause;
  return (
    <span className={style.pause}>
      <Button onClick={() => setPaused(!isPaused)} aria-pressed={isPaused} aria-label={word} title={word}>
        {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
        <span data-is-short={!isPaused || waiting === 0}>{word}</span>
      </Button>
    </span>
  );
}

/** Over the list, where newer rows wait. */
export function Newer({ live: { waiting, isPaused, show } }: { live: Shown }) {
  const isShown = waiting !== 0 && !isPaused;
  return (
    <div className={style.newer} role="status">
      {isShown ? (
        <Button look="primary" onClick={show}>
          <ArrowUp aria-hidden />
          {words().live.newer(waiting)}
        </Button>
      ) : null}
    </div>
  );
}
