// Replies to reads that may be kept: an entity tag over the very bytes, and 304 for who has them already (2.3-C of the decision register, An entity tag).
import { entityTag, namesTag } from '../subgraphs/shared/http/entity-tag';
import type { Reply } from './reply';

/** 200 with the body, or 304 without it when `ifNoneMatch` names its tag; `headers` say who may keep it and for how long. */
export function cachedReply(body: unknown, ifNoneMatch: string, headers: Record<string, string>): Reply {
  const etag = entityTag(JSON.stringify(body));
  const kept = { ...headers, etag };
  return namesTag(ifNoneMatch, etag) ? { status: 304, headers: kept } : { status: 200, headers: kept, body };
}
