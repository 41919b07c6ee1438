// Cookies of the sign-in: kept from scripts and from other sites, bound to this very host where there is https.
import type { IncomingMessage } from 'node:http';

export interface CookieJar {
  session: string;
  /** One for each sign-in under way, so that tabs do not disturb each other. */
  handshake(id: string): string;
  read(request: IncomingMessage, name: string): string | undefined;
  /** Value of Set-Cookie; without seconds it lives as long as the browser's session. */
  print(name: string, value: string, seconds?: number): string;
  forget(name: string): string;
  /** Ids of the sign-ins that the browser has under way, the oldest first. */
  handshakes(request: IncomingMessage): string[];
}

export function cookieJar(isSecure: boolean): CookieJar {
  const prefix = isSecure ? '__Host-' : '';
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const handshake = (id: string) => `${prefix}sign-in-${id}`;
  const print = (name: string, value: string, seconds?: number) =>
    `${name}=${value}${attributes}${seconds === undefined ? '' : `; Max-Age=${seconds}`}`;
  return {
    session: `${prefix}session`,
    handshake,
    print,
    read: (request, name) => pairsOf(request).find(([key]) => key === name)?.[1],
    forget: (name) => print(name, '', 0),
    handshakes: (request) =>
      pairsOf(request).flatMap(([key]) => (key?.startsWith(handshake('')) ? [key.slice(handshake('').length)] : [])),
  };
}

function pairsOf({ headers }: IncomingMessage): [string, string][] {
  return (headers.cookie ?? '').split('; ').flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals > 0 ? [[pair.slice(0, equals), pair.slice(equals + 1)] as [string, string]] : [];
  });
}
