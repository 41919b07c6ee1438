// Who asks in this explorer: a person who signed in, by the session's cookie, for every tab and over reloads; or a program, by the access token of a tab or a link.
export interface Ways {
  signsIn: boolean;
  person: { id: string; name: string; accountId: string | null } | null;
  /** In the sandbox: whom a click signs in. */
  people: readonly { as: string; name: string; role: string }[];
}

const none: Ways = { signsIn: false, person: null, people: [] };

export async function readWays(): Promise<Ways> {
  try {
    const response = await fetch('/sign-in/ways', { headers: { accept: 'application/json' } });
    return response.ok ? await response.json() : none;
  } catch {
    // The explorer is of use without: a token in the headers does.
    return none;
  }
}

export function signInAddress(as?: string): string {
  return `/sign-in?${new URLSearchParams(as ? { as, to: '/graphql' } : { to: '/graphql' })}`;
}

export async function signOut(): Promise<void> {
  const answer = await fetch('/sign-out', { method: 'POST' });
  const { provider } = answer.ok ? ((await answer.json()) as { provider: string | null }) : { provider: null };
  location.assign(provider ?? '/graphql');
}
