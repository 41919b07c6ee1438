// The leader that chains the audit: which task it is, how often it comes, and what it tells the log.
import { auditSigningKey, createAuditChaining } from '../subgraphs/access';
import type { JanitorDeps } from '../workers';
import type { Platform } from './platform';

/** A batch takes a fraction of it. */
const stillMsMax = 10_000;

/** Under a lease of its own, every second; a head that is signed stands in the log too, where who alters the database does not reach it. */
export function auditChaining({ access, config, log }: Platform): Pick<JanitorDeps, 'lease' | 'stillMsMax' | 'tasks'> {
  const chain = createAuditChaining(access.auditChain, auditSigningKey(config.AUDIT_KEY));
  const run = async (stopping: AbortSignal) => {
    for (const { day, sequence, hash } of await chain(stopping))
      log.info(`the head of the audit of ${day} is ${sequence}:${hash}`);
  };
  return { lease: 'audit', stillMsMax, tasks: [{ name: 'chain audit records', everyMs: 0, run }] };
}
