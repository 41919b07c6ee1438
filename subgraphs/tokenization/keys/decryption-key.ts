// Our own decryption keys: published while callers may seal to them, two live during a roll-over (tokenization interface, JWE format, kid).

export const decryptionKeyStates = ['active', 'retiring', 'retired'] as const;
/** active: published first, what callers should seal to. retiring: still published, still opens. retired: opens nothing. */
export type DecryptionKeyState = (typeof decryptionKeyStates)[number];

export const decryptionKeyAlgorithm = 'RSA-OAEP-256';

/** The public half with its state; n and e are Base64URL (RFC 7517). */
export interface DecryptionKey {
  kid: string;
  state: DecryptionKeyState;
  n: string;
  e: string;
  createdAt: Date;
}

/** Keys that open, the current one first, then the newest. */
export function liveKeys<Key extends DecryptionKey>(keys: readonly Key[]): Key[] {
  const rank = (key: Key) => (key.state === 'active' ? 0 : 1);
  return keys
    .filter((key) => key.state !== 'retired')
    .toSorted((a, b) => rank(a) - rank(b) || b.createdAt.getTime() - a.createdAt.getTime());
}

/** One key's way from a state to the next. */
export interface KeyChange {
  kid: string;
  from: DecryptionKeyState;
  to: DecryptionKeyState;
}

/** What a roll-over does to the keys that exist: the current one retires slowly, one that was already retiring is retired. */
export function decideRollOver(keys: readonly DecryptionKey[]): KeyChange[] {
  const next: Partial<Record<DecryptionKeyState, DecryptionKeyState>> = { active: 'retiring', retiring: 'retired' };
  return keys.flatMap(({ kid, state: from }) => {
    const to = next[from];
    return to ? [{ kid, from, to }] : [];
  });
}
