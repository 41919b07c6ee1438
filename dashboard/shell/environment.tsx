// That this is the sandbox, and what the platform's clock says where it has been moved away from the person's own.
import { useEffect, useRef, useState } from 'react';
import { useAsk } from '../graph/ask';
import { noteClock } from '../graph/platform-clock';
import { When } from '../kit/when';
import { words } from '../strings/language';
import { PlatformClock } from './queries';
import style from './shell.module.css';
import { useViewer } from './viewer';

const askedEveryMs = 15_000;

export function EnvironmentMark() {
  const { data, again } = useAsk(PlatformClock, {});
  const now = data?.viewer.now;
  const [isMoved, setIsMoved] = useState(false);
  useEffect(() => setIsMoved(now ? noteClock(now) : false), [now]);
  const isSandbox = useViewer().environment === 'SANDBOX';
  const ask = useRef(again);
  ask.current = again;
  useEffect(() => {
    if (!isSandbox) return undefined;
    const timer = setInterval(() => document.visibilityState === 'visible' && ask.current(), askedEveryMs);
    return () => clearInterval(timer);
  }, [isSandbox]);
  if (!isSandbox) return null;
  return (
    <div className={style.ribbon}>
      {words().sandbox}
      {isMoved ? (
        <>
          {' · '}
          {words().platformClock} <When at={now} />
        </>
      ) : null}
    </div>
  );
}
