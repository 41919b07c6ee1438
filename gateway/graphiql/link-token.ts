// An access token for the whole explorer: put in by hand, or brought by a link of `pay explorer` behind its `#`, which no server is told. A reload of the tab keeps it, another tab does not have it.
const kept = 'explorer-access-token';

const given = new URLSearchParams(location.hash.slice(1)).get('token');
if (given) {
  keepToken(given);
  history.replaceState(null, '', location.pathname);
}

export const linkToken: string | null = sessionStorage.getItem(kept);

export function keepToken(token: string): void {
  sessionStorage.setItem(kept, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(kept);
}

/** The headers of a tab, with the token where it names none of its own; without one the session's cookie speaks. */
export function withLinkToken(headers: Record<string, unknown>): Record<string, unknown> {
  const isOwn = headers['authorization'] !== undefined || headers['Authorization'] !== undefined;
  return isOwn || linkToken === null ? headers : { ...headers, authorization: `Bearer ${linkToken}` };
}
