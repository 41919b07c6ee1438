// What the text of a variable must look like where it is more than a word or a number.
import type { GroupMeaning } from './callers/rights';

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

const groupMeaning = /^(viewer|support|operator|administrator|tenant:[A-Za-z0-9._-]{1,64})$/;

/** `group=role,...`, or a JSON object of group to role where names of groups have commas; null when a role is none. */
export function parseGroupMeanings(text: string): Record<string, GroupMeaning> | null {
  const pairs = groupPairs(text.trim());
  const isRight = pairs?.every(([group, meaning]) => group !== '' && groupMeaning.test(meaning));
  return pairs && isRight ? (Object.fromEntries(pairs) as Record<string, GroupMeaning>) : null;
}

function groupPairs(text: string): [string, string][] | null {
  if (text === '') return [];
  if (text.startsWith('{'))
    return isAddressMap(text) ? Object.entries(JSON.parse(text) as Record<string, string>) : null;
  return text.split(',').map((pair) => {
    const equals = pair.lastIndexOf('=');
    return [pair.slice(0, Math.max(equals, 0)).trim(), pair.slice(equals + 1).trim()];
  });
}

/** The checker's message without what only its authors need. */
export function inWords(message: string): string {
  return message.replace(/^Invalid (?:input|option): /, '').replace(/, received NaN$/, '');
}
