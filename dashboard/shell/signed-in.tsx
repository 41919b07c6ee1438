// Shows the dashboard to whoever is signed in, and the way to sign in to everybody else; a session that ends in the middle leads there too.
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { client, watchDoubt, watchSignOut } from '../graph/client';
import { useOnceBack } from '../graph/once-back';
import { oneAtATime } from '../graph/one-at-a-time';
import { noteClock } from '../graph/platform-clock';
import { type AskError, refusalCodeOf } from '../graph/refusal-code';
import kit from '../kit/kit.module.css';
import { RefusedNote } from '../kit/states';
import { words } from '../strings/language';
import { followLostFocus } from './lost-focus';
import { usePreferences } from './preferences';
import { Myself, type MyselfQuery } from './queries';
import style from './signed-in.module.css';
import { signInHere, type Viewer, ViewerContext } from './viewer';

type Known =
  | { state: 'asking' }
  | { state: 'out' }
  | { state: 'failed'; error: AskError }
  | { state: 'in'; viewer: Viewer };

export function WhenSignedIn({ children }: { children: ReactNode }) {
  const [known, setKnown] = useState<Known>({ state: 'asking' });
  const { adopt } = usePreferences();
  const ask = useCallback(() => {
    void client
      .query<MyselfQuery>(Myself.text, {}, { requestPolicy: 'network-only' })
      .toPromise()
      .then(({ data, error }) => {
        if (error) return setKnown(isSignedOut(error) ? { state: 'out' } : { state: 'failed', error });
        if (!data) return;
        const { preferences, kind, now, __typename, ...viewer } = data.viewer;
        noteClock(now);
        if (kind === 'PERSON') adopt(preferences);
        const credentialId = kind === 'PERSON' ? `person:${viewer.id}` : viewer.id;
        setKnown({ state: 'in', viewer: { ...viewer, credentialId } });
      });
  }, [adopt]);
  useEffect(() => ask(), [ask]);
  useOnceBack(known.state === 'failed' ? known.error : null, ask);
  useEffect(() => watchSignOut(() => setKnown({ state: 'out' })), []);
  useEffect(() => watchDoubt(verify), []);
  useEffect(followLostFocus, []);
  if (known.state === 'asking') return null;
  if (known.state === 'in') return <ViewerContext value={known.viewer}>{children}</ViewerContext>;
  if (known.state === 'failed') return <RefusedNote error={known.error} retry={ask} />;
  return <Gate />;
}

/** Asks who is signed in; that nobody is, is heard wherever it is answered, and anything else changes nothing. */
const verify = oneAtATime(async () => {
  await client.query(Myself.text, {}, { requestPolicy: 'network-only' }).toPromise();
});

function isSignedOut(error: AskError): boolean {
  return refusalCodeOf(error) === 'unauthenticated';
}

function Gate() {
  const text = words().person;
  return (
    <main className={style.gate}>
      <title>{words().product}</title>
      <img src="/icon.svg" alt="" width="44" height="44" />
      <h1>{words().product}</h1>
      <p className="soft">{text.signInHint}</p>
      <a className={`${kit.button} ${kit.primary}`} href={signInHere()}>
        {text.signIn}
      </a>
    </main>
  );
}
