// What the text of a variable must look like where it is more than a word or a number.

export function isAddressMap(text: string): boolean {
  return text === '' || isMapOf(text, (value) => typeof value === 'string');
}

export function isKeyMap(text: string): boolean {
  return text === '' || isMapOf(text, (value) => [value].flat().every((key) => typeof key === 'string'));
}

function isMapOf(text: string, isRight: (value: unknown) => boolean): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isRight);
  } catch {
    return false;
  }
}

export function parseKeyMap(text: string): Record<string, string[]> {
  const spelled = JSON.parse(text || '{}') as Record<string, string | string[]>;
  return Object.fromEntries(Object.entries(spelled).map(([role, keys]) => [role, [keys].flat()]));
}

export function isSmtpUrl(text: string): boolean {
  return text === '' || (/^smtps?:\/\/[^/?#]+\/?$/.test(text) && URL.canParse(text) && new URL(text).hostname !== '');
}

/** Scheme, host and port alone, spelled as browsers print them. */
export function isOrigin(text: string): boolean {
  return (
    text === '' || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text)
  );
}

/** None, one or several, comma separated. */
export function isOriginList(text: string): boolean {
  return text === '' || text.split(',').every((origin) => origin !== '' && isOrigin(origin));
}

/** Where this machine reaches what listens on that host and port. */
export function ownOrigin(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
