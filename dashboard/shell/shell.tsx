// What stands around every screen.
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, Suspense, useCallback, useState } from 'react';
import type { Total } from '../graph/pages';
import { printTotal, sayTotal } from '../kit/count';
import { words } from '../strings/language';
import { ConnectionLost } from './connection-state';
import { EnvironmentMark } from './environment';
import { lazyDialog } from './lazy-part';
import { BottomBar, Navigation } from './navigation';
import { useOpenName } from './open-name';
import { PaletteFrame } from './palette-frame';
import style from './shell.module.css';
import { useShortcuts } from './shortcuts';
import { usePalette } from './use-palette';
import { useViewer } from './viewer';

const Help = lazyDialog(() => import('./help').then((module) => module.Help));

export function Shell() {
  const [isSearching, setSearching] = useState(false);
  const Palette = usePalette(isSearching);
  const { rights } = useViewer();
  const search = useCallback(() => setSearching(true), []);
  const [isHelping, setHelping] = useState(false);
  const help = useCallback(() => setHelping(true), []);
  useShortcuts(search, help);
  return (
    <div className={style.shell}>
      <a className={style.skip} href="#content">
        {words().skip}
      </a>
      <Navigation rights={rights} onSearch={search} />
      <ConnectionLost />
      <main className={style.main} id="content" tabIndex={-1}>
        <EnvironmentMark />
        <Outlet />
      </main>
      <BottomBar rights={rights} onSearch={search} />
      {isSearching ? <PaletteFrame Palette={Palette} onClose={() => setSearching(false)} /> : null}
      <Suspense>{isHelping ? <Help onClose={() => setHelping(false)} /> : null}</Suspense>
    </div>
  );
}

/** A screen: its title, what can be done with all of it, and the rest below. */
export function Screen({
  title,
  total = null,
  tools,
  below,
  children,
  isPadded = false,
}: {
  title: string;
  /** How many the list on it has. */
  total?: Total | null;
  tools?: ReactNode;
  /** A second line of the head, such as filters. */
  below?: ReactNode;
  children: ReactNode;
  isPadded?: boolean;
}) {
  const openName = useOpenName();
  return (
    <>
      <title>{[openName, title, words().product].filter(Boolean).join(' · ')}</title>
      <header className={style.head}>
        <h1>{title}</h1>
        <TotalMark total={total} />
        {tools}
        {below ? <div className={style.below}>{below}</div> : null}
      </header>
      <div className={isPadded ? `${style.content} ${style.padded}` : style.content}>{children}</div>
    </>
  );
}

function TotalMark({ total }: { total: Total | null }) {
  // The list says itself that it is empty, and nobody is helped by "at least none".
  if (!total || total.value === 0) return <span className={style.total} />;
  return (
    <span className={`${style.total} number faint`} title={sayTotal(total)}>
      {printTotal(total)}
    </span>
  );
}
