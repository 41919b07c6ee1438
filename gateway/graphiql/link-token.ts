// A link of `pay explorer` carries an access token behind its `#`, which no server is told; a reload of the tab keeps it, another tab does not have it.
const kept = 'explorer-access-token';
/** What a header says before somebody has put a token there. */
export const placeholder = 'Bearer <access token>';

const given = new URLSearchParams(location.hash.slice(1)).get('token');
if (given) {
  sessionStorage.setItem(kept, given);
  history.replaceState(null, '', location.pathname);
}

export const linkToken: string | null = sessionStorage.getItem(kept);

/** The headers of a tab, with the link's token where nothing else was put. */
export function withLinkToken(headers: Record<string, unknown>): Record<string, unknown> {
  const { authorization = headers['Authorization'] } = headers;
  const isOpen = authorization === undefined || authorization === placeholder;
  return linkToken !== null && isOpen ? { ...headers, authorization: `Bearer ${linkToken}` } : headers;
}
