// A screen or a dialog that is fetched when it is first gone to. One that cannot be fetched says so in its place and can be tried again; the rest of the program stays as it is.
import { type ComponentType, createElement, use, useState } from 'react';
import { RefusedNote } from '../kit/states';

/** What fetching a screen came to. */
type Loaded<Props> = ComponentType<Props> | Error;

interface Source<Props> {
  /** The same for everybody who waits for it. */
  fetch(): Promise<Loaded<Props>>;
  /** Once more, if it was in vain. */
  again(): Promise<Loaded<Props>>;
}

function LazyPart<Props extends object>({ source, props }: { source: Source<Props>; props: Props }) {
  const [tries, setTries] = useState(0);
  const found = use(source.fetch());
  if (typeof found === 'function') return createElement(found, props);
  async function retry(): Promise<void> {
    const answer = await source.again();
    // A newer program has other files: where the network is there and the file is not, the page is fetched anew.
    if (answer instanceof Error && tries > 0 && navigator.onLine) location.reload();
    setTries(tries + 1);
  }
  return <RefusedNote error={{ message: '', graphQLErrors: [], networkError: found }} retry={() => void retry()} />;
}

/** `load` fetches the module and takes the component from it. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loading: Promise<Loaded<Props>> | null = null;
  let hasFailed = false;
  const fetch = (): Promise<Loaded<Props>> => {
    loading ??= load().catch((error: unknown) => {
      hasFailed = true;
      return error instanceof Error ? error : new Error(String(error));
    });
    return loading;
  };
  const again = (): Promise<Loaded<Props>> => {
    if (hasFailed) loading = null;
    hasFailed = false;
    return fetch();
  };
  const source = { fetch, again };
  // What was tried in vain, such as before a click, is tried once more when it is gone to.
  const preload = async () => void (await again());
  return Object.assign((props: Props) => <LazyPart source={source} props={props} />, { preload });
}
