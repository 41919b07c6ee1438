// Who asks, above the editor; and while nobody does, the ways in.
import { createElement, type FormEvent, type ReactNode } from 'react';
import { forgetToken, keepToken, linkToken } from './link-token';
import { signInAddress, signOut, type Ways } from './ways';

/** The two of the sandbox whom most want to be; the provider shows the others. */
const quick = ['viewer', 'administrator'];

export function AccountBar({ person }: Ways): ReactNode {
  const parts = linkToken ? withToken() : person ? signedIn(person) : [];
  return createElement(
    'header',
    { className: 'account-bar' },
    createElement('strong', null, 'Graph explorer'),
    ...parts,
  );
}

function signedIn({ name, accountId }: NonNullable<Ways['person']>): ReactNode[] {
  return [
    createElement('span', { key: 'who' }, `${name}, ${accountId === null ? 'staff' : `account ${accountId}`}`),
    createElement('a', { key: 'other', href: signInAddress() }, 'Somebody else'),
    createElement('button', { key: 'out', type: 'button', onClick: () => void signOut() }, 'Sign out'),
  ];
}

function withToken(): ReactNode[] {
  const forget = () => {
    forgetToken();
    location.reload();
  };
  return [
    createElement('span', { key: 'who' }, 'with an access token'),
    createElement('button', { key: 'out', type: 'button', onClick: forget }, 'Forget it'),
  ];
}

/** Nothing is asked before somebody is here, so that nothing is refused. */
export function WaysIn({ signsIn, people }: Ways): ReactNode {
  return createElement(
    'main',
    { className: 'ways-in' },
    createElement('h1', null, 'Who asks?'),
    signsIn && createElement('nav', { 'aria-label': 'Sign in' }, ...signIns(people)),
    tokenForm(signsIn),
    createElement('p', null, 'The command “npm run -s pay -- explorer” prints a link with a token of its own.'),
  );
}

function signIns(people: Ways['people']): ReactNode[] {
  const offered = people.filter(({ role }) => quick.includes(role));
  const link = (words: string, as?: string) => createElement('a', { key: words, href: signInAddress(as) }, words);
  return [
    ...offered.map(({ as, role }) => link(`Sign in as ${role}`, as)),
    link(offered.length > 0 ? 'Sign in as somebody else' : 'Sign in'),
  ];
}

function tokenForm(isSecond: boolean): ReactNode {
  const open = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget).get('token'))
      .trim()
      .replace(/^Bearer /i, '');
    if (token === '') return;
    keepToken(token);
    location.reload();
  };
  return createElement(
    'form',
    { onSubmit: open },
    createElement('label', { htmlFor: 'token' }, isSecond ? 'Or an access token' : 'An access token'),
    createElement('input', { id: 'token', name: 'token', type: 'password', autoComplete: 'off', required: true }),
    createElement('button', { type: 'submit' }, 'Open'),
  );
}
