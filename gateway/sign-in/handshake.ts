// A sign-in under way, as the browser carries it: sealed, so that it can be neither read nor made elsewhere, and over after ten minutes. No process keeps anything.
import { hkdfSync, randomBytes } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';

export interface Handshake {
  state: string;
  nonce: string;
  verifier: string;
  /** Path to come back to. */
  to: string;
  /** The person was to prove itself anew. */
  isFresh: boolean;
}

/** Real time: a person may have to find a second factor. */
export const handshakeSeconds = 600;

export interface HandshakeSealer {
  seal(handshake: Handshake): Promise<string>;
  /** Null for what is not ours, or over. */
  open(sealed: string): Promise<Handshake | null>;
}

/** `secret`: 32 bytes, base64; a key of its own is derived from it. */
export function createHandshakeSealer(secret: string): HandshakeSealer {
  const key = new Uint8Array(hkdfSync('sha256', Buffer.from(secret, 'base64'), '', 'sign-in handshake', 32));
  const header = { alg: 'dir', enc: 'A256GCM' } as const;
  return {
    seal: (handshake) =>
      new EncryptJWT({ ...handshake })
        .setProtectedHeader(header)
        .setIssuedAt()
        .setExpirationTime(`${handshakeSeconds}s`)
        .encrypt(key),
    async open(sealed) {
      const options = { keyManagementAlgorithms: [header.alg], contentEncryptionAlgorithms: [header.enc] };
      const opened = await jwtDecrypt(sealed, key, options).catch(() => null);
      return opened ? (opened.payload as unknown as Handshake) : null;
    },
  };
}

/** The first part of a state names its cookie. */
export function newState(): { id: string; state: string } {
  const id = randomBytes(8).toString('hex');
  return { id, state: `${id}.${randomBytes(24).toString('base64url')}` };
}

/** Null for what no state of ours begins with. */
export function idOfState(state: string | null): string | null {
  return /^([0-9a-f]{16})\./.exec(state ?? '')?.[1] ?? null;
}

const toCharactersMax = 2_000;
const notPages = /^\/(?:\/|(?:sign-in|sign-out|sandbox)(?:\/|$))/;

/** A path of ours to come back to; whatever leads elsewhere is the start page. As a browser reads it, which takes `\\` for `/` and drops control characters. */
export function ownPath(to: string | null, origin: string): string {
  if (!to?.startsWith('/') || to.length > toCharactersMax || !URL.canParse(to, origin)) return '/';
  const { origin: there, pathname, search, hash } = new URL(to, origin);
  return there === origin && !notPages.test(pathname) ? `${pathname}${search}${hash}` : '/';
}
