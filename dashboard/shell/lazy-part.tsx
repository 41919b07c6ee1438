// A screen, a drawer or a dialog that is fetched when it is first gone to. One that cannot be fetched says so in its place and is tried again there; the rest of the program stays as it is.
import { useLocation } from '@tanstack/react-router';
import { type ComponentType, createElement, type ReactNode, use, useReducer, useRef } from 'react';
import { useOnceBack } from '../graph/once-back';
import type { AskError } from '../graph/refusal-code';
import kit from '../kit/kit.module.css';
import { Drawer, Modal } from '../kit/overlays';
import { RefusedNote } from '../kit/states';
import { words } from '../strings/language';
import { useAddress } from './address';

/** What fetching a screen came to. */
type Loaded<Props> = ComponentType<Props> | Error;

interface Source<Props> {
  /** The same for everybody who waits for it. */
  fetch(): Promise<Loaded<Props>>;
  /** Once more, if it was in vain. */
  again(): Promise<Loaded<Props>>;
}

/** Where it says that it could not be fetched. */
type Place<Props> = ComponentType<Props & { children: ReactNode }>;

interface PartProps<Props> {
  source: Source<Props>;
  Place: Place<Props>;
  props: Props;
}

function LazyPart<Props extends object>({ source, Place, props }: PartProps<Props>) {
  const tries = useRef(0);
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const found = use(source.fetch());
  async function fetchAgain(): Promise<Loaded<Props>> {
    const answer = await source.again();
    draw();
    return answer;
  }
  // By itself it never fetches the page anew: somebody may be in the middle of something.
  useOnceBack(found instanceof Error ? unreached(found) : null, () => void fetchAgain());
  if (!(found instanceof Error)) return createElement(found, props);
  async function retry(): Promise<void> {
    const answer = await fetchAgain();
    // A newer program has other files: where the network is there and the file is not, the page is fetched anew.
    if (answer instanceof Error && tries.current > 0 && navigator.onLine) location.reload();
    tries.current += 1;
  }
  return (
    <Place {...props}>
      <RefusedNote error={unreached(found)} retry={() => void retry()} />
    </Place>
  );
}

function unreached(networkError: Error): AskError {
  return { message: '', graphQLErrors: [], networkError };
}

/** `load` fetches the module and takes the component from it. */
function lazyIn<Props extends object>(Place: Place<Props>, load: () => Promise<ComponentType<Props>>) {
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
  return Object.assign((props: Props) => <LazyPart source={source} Place={Place} props={props} />, { preload });
}

/** A screen, which has its place already. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazyIn<Props>(({ children }) => children, load);
}

/** What opens beside a list, whose address its own goes on from. */
export function lazyDrawer(load: () => Promise<ComponentType>) {
  return lazyIn(DrawerPlace, load);
}

export function lazyDialog<Props extends { onClose(): void }>(load: () => Promise<ComponentType<Props>>) {
  return lazyIn<Props>(DialogPlace, load);
}

function DrawerPlace({ children }: { children: ReactNode }) {
  const pathname = useLocation({ select: (location) => location.pathname });
  const { open, hrefOf } = useAddress();
  const list = pathname.slice(0, pathname.lastIndexOf('/'));
  return (
    <Drawer of={pathname} title={words().details} onClose={() => open(hrefOf(list))}>
      {children}
    </Drawer>
  );
}

function DialogPlace({ onClose, children }: { onClose(): void; children: ReactNode }) {
  return (
    <Modal className={kit.dialog} label={{ 'aria-label': words().faults.failed }} onClose={onClose}>
      {children}
    </Modal>
  );
}
