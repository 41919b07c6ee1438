// What kind of failure an error of the HTTP client is: all are tried again but a blocked target.
import type { AttemptResult } from '../subgraphs/notifications';
import { BlockedTarget, ConnectTimeout, NameNotResolved } from './ssrf-guard';

const byCode: Record<string, AttemptResult> = {
  ETIMEDOUT: 'connectTimeout',
  ECONNREFUSED: 'connectFailed',
  EHOSTUNREACH: 'connectFailed',
  ENETUNREACH: 'connectFailed',
  EADDRNOTAVAIL: 'connectFailed',
  EACCES: 'connectFailed',
  EMFILE: 'connectFailed',
  ENOTFOUND: 'nameNotResolved',
  EAI_AGAIN: 'nameNotResolved',
  UND_ERR_SOCKET: 'connectionLost',
  UND_ERR_ABORTED: 'connectionLost',
  UND_ERR_CLOSED: 'connectionLost',
  UND_ERR_DESTROYED: 'connectionLost',
  ECONNRESET: 'connectionLost',
  EPIPE: 'connectionLost',
  UND_ERR_HEADERS_OVERFLOW: 'invalidReply',
  EPROTO: 'tlsFailed',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tlsFailed',
  SELF_SIGNED_CERT_IN_CHAIN: 'tlsFailed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tlsFailed',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tlsFailed',
};

/** The class of `error`; what is not known counts as a reply that cannot be read. */
export function failureOf(error: unknown): AttemptResult {
  if (error instanceof BlockedTarget) return 'blockedTarget';
  if (error instanceof NameNotResolved) return 'nameNotResolved';
  if (error instanceof ConnectTimeout) return 'connectTimeout';
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') {
    const known = Object.hasOwn(byCode, code) ? byCode[code] : undefined;
    if (known) return known;
    if (/^(ERR_TLS|ERR_SSL|CERT_)/.test(code)) return 'tlsFailed';
  }
  return cause instanceof Error && cause !== error ? failureOf(cause) : 'invalidReply';
}
