// Which of our roles call subgraphs in other processes, and whom each may speak for: what a receiver believes a sender, as a table.
import { type Caller, isStaff } from '../../subgraphs/shared/callers/caller';

interface SenderRights {
  /** Kinds of callers that arrive at this entrance. */
  kinds: readonly Caller['kind'][];
  /** Whether it may say that a client is staff or holds rights of the graph. */
  maySayStaff: boolean;
}

const internalSenders = {
  gateway: { kinds: ['client', 'person', 'anonymous'], maySayStaff: true },
  'rest-facade': { kinds: ['client', 'apiKey', 'sandboxKey', 'anonymous'], maySayStaff: false },
  pages: { kinds: ['page'], maySayStaff: false },
} as const satisfies Record<string, SenderRights>;

export type InternalSender = keyof typeof internalSenders;

export const internalSenderNames = Object.keys(internalSenders) as InternalSender[];

export function isInternalSender(name: unknown): name is InternalSender {
  return typeof name === 'string' && Object.hasOwn(internalSenders, name);
}

/** The sandbox key and a page see every account by what they are; any other caller without an account is staff. */
const everyAccountByKind: readonly Caller['kind'][] = ['sandboxKey', 'page'];

/** Why that sender may not speak for that caller, or null. */
export function senderFault(sender: InternalSender, caller: Caller): string | null {
  const { kinds, maySayStaff }: SenderRights = internalSenders[sender];
  if (!kinds.includes(caller.kind)) return `${sender} does not speak for ${caller.kind}`;
  if (maySayStaff) return null;
  if (isStaff(caller) && !everyAccountByKind.includes(caller.kind)) return `${sender} may not say staff`;
  if (caller.scopes.some((scope) => scope.startsWith('graph:'))) return `${sender} may not give rights of the graph`;
  return null;
}
