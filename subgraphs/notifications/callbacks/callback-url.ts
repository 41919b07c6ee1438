// The judgement of a callback address by its text alone, at registration and before every send (2.6 of the decision register: canonical host,
// no name resolution). Parsed once, by the parser that also builds the request.
import { isIP } from 'node:net';
import type { Config } from '../../shared/config';
import { DomainError } from '../../shared/errors';
import { isGloballyRoutable } from './public-address';

const callbackUrlLengthMax = 2048;

export interface UrlRules {
  /** Accepts `http://127.0.0.1:PORT` and `http://localhost:PORT` too. */
  sandbox: boolean;
  /** Where the sandbox's own receiver is, inside a private network: may be called as loopback may; none when empty. */
  receiverOrigin?: string;
  lengthMax?: number;
}

/** What is wrong with an address, for people; never more than this is said about a forbidden target. */
type UrlFault =
  | 'too long'
  | 'not printable ASCII'
  | 'not an absolute http(s) address'
  | 'carries credentials'
  | 'carries a fragment'
  | 'host not in canonical form'
  | 'port not in canonical form'
  | 'path not in canonical form'
  | 'must be https'
  | 'target not allowed';

export type UrlVerdict = { url: URL; fault: null } | { url: null; fault: UrlFault };

const shape = /^(https?):\/\/([^/?#]*)(\/[^?#]*)?(\?[^#]*)?(#.*)?$/;
const authorityShape = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/;

/** The rules of an installation. */
export function callbackUrlRules({ isSandbox, REST_URL }: Pick<Config, 'isSandbox' | 'REST_URL'>) {
  return { sandbox: isSandbox, receiverOrigin: isSandbox ? REST_URL : '' } satisfies UrlRules;
}

/** Judges `text`; the URL of an accepted one is what the request is built from. */
export function judgeCallbackUrl(text: string, rules: UrlRules): UrlVerdict {
  if (text.length > (rules.lengthMax ?? callbackUrlLengthMax)) return refusal('too long');
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes('\\')) return refusal('not printable ASCII');
  const parts = shape.exec(text);
  const authority = parts?.[2] ?? '';
  if (!parts || !authority || !URL.canParse(text)) return refusal('not an absolute http(s) address');
  if (authority.includes('@')) return refusal('carries credentials');
  if (parts[5] !== undefined) return refusal('carries a fragment');
  const url = new URL(text);
  const [, host, port] = authorityShape.exec(authority) ?? [];
  if (host === undefined || !isCanonicalHost(host, url.hostname)) return refusal('host not in canonical form');
  if (port !== undefined && !(/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65535)) {
    return refusal('port not in canonical form');
  }
  if ((parts[3] || '/') !== url.pathname) return refusal('path not in canonical form');
  if (url.origin === rules.receiverOrigin) return { url, fault: null };
  if (isSandboxLoopback(url)) return rules.sandbox ? { url, fault: null } : refusal('target not allowed');
  if (isForbiddenHost(url.hostname)) return refusal('target not allowed');
  return url.protocol === 'https:' ? { url, fault: null } : refusal('must be https');
}

/** The URL of an address that may be registered; refuses with `invalidInput` on the given field otherwise. */
export function checkCallbackUrl(text: string, rules: UrlRules, field = 'address'): URL {
  const verdict = judgeCallbackUrl(text, rules);
  if (verdict.url) return verdict.url;
  throw new DomainError('invalidInput', `The callback address is refused: ${verdict.fault}.`, { field });
}

/** The same for an address that paths are appended to: no query, and without the slash at its end. */
export function checkCallbackBaseUrl(text: string, rules: UrlRules, field = 'address'): string {
  const url = checkCallbackUrl(text, rules, field);
  if (text.includes('?')) {
    throw new DomainError('invalidInput', 'The callback address is refused: a base address has no query.', { field });
  }
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** True for the loopback targets that the sandbox allows. */
export function isSandboxLoopback(url: URL): boolean {
  return url.protocol === 'http:' && (url.hostname === '127.0.0.1' || url.hostname === 'localhost');
}

/** True when the host is an address literal that the world cannot route to, or a name that always means this machine. */
function isForbiddenHost(hostname: string): boolean {
  const literal = addressLiteral(hostname);
  if (literal !== null) return !isGloballyRoutable(literal);
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

/** The IP address that a URL's hostname spells, or null for a name. */
export function addressLiteral(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) ? bare : null;
}

/** Names may be written in capitals; address literals and everything else exactly as the parser prints them, and no dot at the end. */
function isCanonicalHost(written: string, parsed: string): boolean {
  if (written.endsWith('.')) return false;
  return addressLiteral(parsed) === null ? written.toLowerCase() === parsed : written === parsed;
}

function refusal(fault: UrlFault): UrlVerdict {
  return { url: null, fault };
}
