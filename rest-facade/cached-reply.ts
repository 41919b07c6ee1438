// Replies to reads that may be kept: an entity tag over the very bytes, and 304 for who has them already (RFC 9110 sections 8.8.3 and 13.1.2; 2.3 of the decision register, An entity tag).
import { sha256 } from '../subgraphs/shared/ids';
import type { Reply } from './reply';

const keptSeconds = 60;

/** 200 with the body, or 304 without it when `ifNoneMatch` names its tag. */
export function cachedReply(body: unknown, ifNoneMatch: string): Reply {
  const etag = `"${sha256(JSON.stringify(body))}"`;
  const headers = { etag, 'cache-control': `private, max-age=${keptSeconds}`, vary: 'Authorization' };
  return namesTag(ifNoneMatch, etag) ? { status: 304, headers } : { status: 200, headers, body };
}

/** Weak comparison, as If-None-Match asks for it. */
function namesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
