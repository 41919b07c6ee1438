// How many WebSockets may be open: until they say who they are, for each address and in all; from then on, for each access token.
import type { Config } from '../../subgraphs/shared/config';

export type SocketLimits = Pick<
  Config,
  'UNAUTHENTICATED_SOCKETS_MAX' | 'UNAUTHENTICATED_SOCKETS_PER_ADDRESS_MAX' | 'SOCKETS_PER_TOKEN_MAX'
>;

export interface SocketBounds {
  /** Counts a socket that nobody answers for yet, until what it returns is called; or says which bound it would break. */
  wait(address: string): (() => void) | 'address' | 'all';
  /** Counts a socket of that access token until what it returns is called; null when it is one too many. */
  admit(token: string): (() => void) | null;
}

export function createSocketBounds(limits: SocketLimits): SocketBounds {
  const waiting = counter();
  const admitted = counter();
  return {
    wait(address) {
      if (waiting.of(address) >= limits.UNAUTHENTICATED_SOCKETS_PER_ADDRESS_MAX) return 'address';
      return waiting.total() >= limits.UNAUTHENTICATED_SOCKETS_MAX ? 'all' : waiting.add(address);
    },
    admit(token) {
      return admitted.of(token) >= limits.SOCKETS_PER_TOKEN_MAX ? null : admitted.add(token);
    },
  };
}

function counter() {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    of: (key: string) => counts.get(key) ?? 0,
    total: () => total,
    add(key: string): () => void {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      total += 1;
      let isCounted = true;
      return () => {
        if (!isCounted) return;
        isCounted = false;
        total -= 1;
        const left = (counts.get(key) ?? 1) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      };
    },
  };
}
