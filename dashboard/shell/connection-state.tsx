// How the live connection is: a dot and a word, and on a phone a line while it is away.
import { useRef, useSyncExternalStore } from 'react';
import { connectionState, watchConnection } from '../graph/client';
import { words } from '../strings/language';
import style from './shell.module.css';

export function ConnectionState() {
  const state = useSyncExternalStore(watchConnection, connectionState);
  return (
    <div className={style.connection} data-state={state} role="status">
      {words().connection[state]}
    </div>
  );
}

/** From the break of what is followed until it is live again. */
export function useIsAway(): boolean {
  const state = useSyncExternalStore(watchConnection, connectionState);
  const isAway = useRef(false);
  if (state === 'live') isAway.current = false;
  if (state === 'reconnecting' || state === 'ended') isAway.current = true;
  return isAway.current && state !== 'idle';
}

/** Over each screen of a phone, which has no room for the state itself, while it is away. */
export function ConnectionLost() {
  const isAway = useIsAway();
  return (
    <div className={style.lost} role="status">
      {isAway ? words().connection[connectionState()] : null}
    </div>
  );
}
