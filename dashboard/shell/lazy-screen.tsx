// A screen that is fetched when it is first gone to. One that cannot be fetched says so in its place and can be tried again; the rest of the program stays as it is.
import { type ComponentType, createElement, use, useState } from 'react';
import { RefusedNote } from '../kit/states';

/** What fetching a screen came to. */
type Loaded = ComponentType | Error;

interface Source {
  /** The same for everybody who waits for it. */
  fetch(): Promise<Loaded>;
  /** Once more, if it was in vain. */
  again(): Promise<Loaded>;
}

function LazyScreen({ source }: { source: Source }) {
  const [tries, setTries] = useState(0);
  const found = use(source.fetch());
  if (typeof found === 'function') return createElement(found);
  async function retry(): Promise<void> {
    const answer = await source.again();
    // A newer program has other files: where the network is there and the file is not, the page is fetched anew.
    if (answer instanceof Error && tries > 0 && navigator.onLine) location.reload();
    setTries(tries + 1);
  }
  return <RefusedNote error={{ message: '', graphQLErrors: [], networkError: found }} retry={() => void retry()} />;
}

/** `load` fetches the module, `name` is the component in it. */
export function lazyScreen<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  let loading: Promise<Loaded> | null = null;
  let hasFailed = false;
  const fetch = (): Promise<Loaded> => {
    loading ??= load().then(
      (module) => module[name],
      (error: unknown) => {
        hasFailed = true;
        return error instanceof Error ? error : new Error(String(error));
      },
    );
    return loading;
  };
  const again = (): Promise<Loaded> => {
    if (hasFailed) loading = null;
    hasFailed = false;
    return fetch();
  };
  const source = { fetch, again };
  // What was tried in vain, such as before a click, is tried once more when it is gone to.
  const preload = async () => void (await again());
  return Object.assign(() => <LazyScreen source={source} />, { preload });
}
