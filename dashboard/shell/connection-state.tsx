// How the live connection is: a dot and a word.
import { useSyncExternalStore } from 'react';
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
