// The person's menu: who one is, how things look, and the way out.

import { useNavigate } from '@tanstack/react-router';
import { LogOut, Monitor, MonitorX, Moon, Settings, Sun } from 'lucide-react';
import { DropdownMenu as Menu } from 'radix-ui';
import { messageOf, useAct } from '../graph/ask';
import kit from '../kit/kit.module.css';
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
    if (error) return tell(messageOf(error), 'bad');
    await signOut();
  }
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={style.personButton} aria-label={`${text.menu}: ${name}`}>
        <span className={style.avatar} aria-hidden>
          {initialsOf(name)}
        </span>
        <span className={style.personName}>
          <span className="ellipsis">{name}</span>
          <small>{account ? account.name : (text.roles[role as keyof typeof text.roles] ?? role)}</small>
        </span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className={kit.menu} side="top" align="start" sideOffset={6}>
          <Menu.Label className={kit.menuLabel}>{text.theme}</Menu.Label>
          {themes.map(([theme, Icon]) => (
            <Menu.Item key={theme} className={kit.menuItem} onSelect={() => change({ theme })}>
              <Icon aria-hidden />
              {text[theme]}
            </Menu.Item>
          ))}
          <Menu.Separator className={kit.menuLine} />
          <Menu.Item className={kit.menuItem} onSelect={() => void navigate({ to: '/settings' })}>
            <Settings aria-hidden />
            {words().navigation.settings}
          </Menu.Item>
          <Menu.Item className={kit.menuItem} onSelect={() => void signOut()}>
            <LogOut aria-hidden />
            {text.signOut}
          </Menu.Item>
          <Menu.Item className={kit.menuItem} onSelect={() => void signOutEverywhere()}>
            <MonitorX aria-hidden />
            {words().people.acts.signOut}
          </Menu.Item>
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
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
