// Fields that show personal or secret data unmasked: whoever looks at one through the graph stands in the audit before the answer is given.
import type { AuditedLook, RecordLook } from '../callers/audit';
import type { RequestContext } from '../callers/context';
import { mayUseGraph } from '../callers/rights';
import type { LookedAt } from '../vocabulary/audit-action';

/** Such fields of one type; `key` is the property of its objects that identifies them. */
interface UnmaskedFields {
  subjectType: LookedAt;
  key: string;
  fields: readonly string[];
}

/** By type of the graph. */
export type Unmasked = Readonly<Record<string, UnmaskedFields>>;

type Root = Record<string, unknown>;
type RecordedResolver = (root: Root, args: unknown, context: RequestContext, info: { fieldName: string }) => unknown;

/**
 * The resolvers with a record in front of each of these fields, one for an object and request. Callers of the documented paths get back what is theirs and
 * are not recorded, nor is a payer or signatory who sees his own.
 */
export function recordingLooks(
  resolvers: Record<string, Record<string, unknown>>,
  unmasked: Unmasked,
  record: RecordLook,
): Record<string, Record<string, unknown>> {
  const all = { ...resolvers };
  for (const [type, { subjectType, key, fields }] of Object.entries(unmasked)) {
    const own = { ...all[type] };
    for (const field of fields) {
      const resolve = (own[field] as RecordedResolver | undefined) ?? ((root: Root) => root[field]);
      own[field] = (root: Root, args: unknown, context: RequestContext, info: { fieldName: string }) => {
        if (!isAudited(context)) return resolve(root, args, context, info);
        const { accountId } = root as { accountId?: string | null };
        const look = { subjectType, subjectId: String(root[key]), accountId: accountId ?? context.caller.accountId };
        return recorded(context, look, record).then(() => resolve(root, args, context, info));
      };
    }
    all[type] = own;
  }
  return all;
}

function isAudited({ caller }: RequestContext): boolean {
  return (caller.kind === 'client' || caller.kind === 'person') && mayUseGraph(caller);
}

function recorded(context: RequestContext, look: AuditedLook, record: RecordLook): Promise<void> {
  const name = `look:${look.subjectType}:${look.subjectId}`;
  const known = context.loaders.get(name) as Promise<void> | undefined;
  const recording = known ?? record(context, look);
  if (!known) context.loaders.set(name, recording);
  return recording;
}
