// The person's menu: who one is, how things look, and the way out.

import { useNavigate } from '@tanstack/react-router';
import { LogOut, Monitor, MonitorX, Moon, Settings, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAct } from '../graph/ask';
import { MenuButton } from '../kit/menus/menu-button';
import type { MenuPart } from '../kit/menus/menu-part';
import { sayRefusal } from '../kit/refusal-word';
import { SignOutEverywhere } from '../people/queries';
import { words } from '../strings/language';
import { type ScreenPreferences, useChangePreferences } from './preferences';
import style from './shell.module.css';
import { useToast } from './toasts';
import { useViewer } from './viewer';

const themes = [
  ['system', Monitor],
  ['light', Sun],
  ['dark', Moon],
] as const satisfies readonly (readonly [ScreenPreferences['theme'], typeof Sun])[];

export function PersonMenu() {
  const end = useAct(SignOutEverywhere);
  const tell = useToast();
  const { name, roles, account } = useViewer();
  const role = roles.at(-1) ?? 'viewer';
  const navigate = useNavigate();
  const change = useChangePreferences();
  const text = words().person;
  async function signOutEverywhere(): Promise<void> {
    const { error } = await end.run({});
    if (error) return tell(sayRefusal(error), 'bad');
    await signOut();
  }
  const act = (key: string, Icon: typeof Sun, name: ReactNode, onSelect: () => void): MenuPart => {
    const word = (
      <>
        <Icon aria-hidden />
        {name}
      </>
    );
    return { kind: 'act', key, word, onSelect };
  };
  const parts: MenuPart[] = [
    { kind: 'heading', key: 'theme', word: text.theme },
    ...themes.map(([theme, Icon]) => act(theme, Icon, text[theme], () => change({ theme }))),
    { kind: 'line', key: 'line' },
    act('settings', Settings, words().navigation.settings, () => void navigate({ to: '/settings' })),
    act('signOut', LogOut, text.signOut, () => void signOut()),
    act('signOutEverywhere', MonitorX, words().people.acts.signOut, () => void signOutEverywhere()),
  ];
  return (
    <MenuButton className={style.personButton} label={`${text.menu}: ${name}`} side="top" parts={parts}>
      <span className={style.avatar} aria-hidden>
        {initialsOf(name)}
      </span>
      <span className={style.personName}>
        <span className="ellipsis">{name}</span>
        <small>{account ? account.name : (text.roles[role as keyof typeof text.roles] ?? role)}</small>
      </span>
    </MenuButton>
  );
}

function initialsOf(name: string): string {
  return name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .slice(0, 2)
    .join('')
    .toUpperCase();
}

/** Here, and at the provider where it has a place for it. */
async function signOut(): Promise<void> {
  const answer = await fetch('/sign-out', { method: 'POST', headers: { 'x-requested-with': 'dashboard' } });
  const { provider } = answer.ok ? ((await answer.json()) as { provider: string | null }) : { provider: null };
  location.assign(provider ?? '/');
}
