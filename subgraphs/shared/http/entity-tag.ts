// Entity tags over the very bytes, so that who has them already need not fetch them again (RFC 9110 sections 8.8.3 and 13.1.2).
import { sha256 } from '../ids';

export function entityTag(bytes: string | Buffer): string {
  return `"${sha256(bytes)}"`;
}

/** Whether `ifNoneMatch` names the tag; compared weakly, as that header asks for it. */
export function namesTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}
