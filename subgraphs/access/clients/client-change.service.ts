// One change of one client: loaded, decided and saved with its audit record in one unit of work.
import type { AuditedChange, RecordChange } from '../../shared/callers/audit';
import type { RequestContext } from '../../shared/callers/context';
import type { Clock } from '../../shared/clock';
import { DomainError } from '../../shared/errors';
import { decideAgain } from '../../shared/store/decide-again';
import type { InTransaction, UnitOfWork, UpdateWrite } from '../../shared/store/unit-of-work';
import type { Client } from './client';
import type { ClientRepository } from './client.repository';

export interface ClientChangeDeps {
  clock: Clock;
  inTransaction: InTransaction;
  clients: Pick<ClientRepository, 'find' | 'replace'>;
  audit: RecordChange;
}

/** Stores the result for repetitions under the same Idempotency-Key; its writes join the unit of work. */
export type Complete<Result> = (result: Result) => UpdateWrite[];

/** What a decision changes of a client, and how the audit record tells it; null changes nothing. */
export type Change = {
  next: Partial<Client>;
  action: AuditedChange['action'];
  changes: AuditedChange['changes'];
} | null;

export interface ClientChange {
  context: RequestContext;
  clientId: string;
  decide(client: Client): Change;
  complete: Complete<Client>;
}

export function change(deps: ClientChangeDeps, { complete, ...request }: ClientChange): Promise<Client> {
  return decideAgain(() => changeOnce(deps, { ...request, beside: (next) => ({ updates: complete(next) }) }));
}

/** The same without a second try: a WriteConflict is the caller's to decide again. `beside`: writes for the same transaction. */
export async function changeOnce(
  deps: ClientChangeDeps,
  {
    context,
    clientId,
    decide,
    beside,
  }: Omit<ClientChange, 'complete'> & { beside(next: Client): Pick<UnitOfWork, 'inserts' | 'updates'> },
): Promise<Client> {
  const [client] = await deps.clients.find(context.caller, [clientId]);
  if (!client) throw new DomainError('notFound');
  const decision = decide(client);
  if (!decision) return client;
  const next = { ...client, ...decision.next, version: client.version + 1, updatedAt: deps.clock.now() };
  const record = { ...subjectOf(client), action: decision.action, changes: decision.changes };
  const { inserts = [], updates = [] } = beside(next);
  await deps.inTransaction({
    updates: [deps.clients.replace(next, client.version), ...updates],
    inserts: [deps.audit(context, record), ...inserts],
  });
  return next;
}

export function scopesChange(from: readonly string[], to: readonly string[]) {
  return { field: 'scopes', from: from.join(' ') || null, to: to.join(' ') || null };
}

export function subjectOf({ clientId, accountId }: Client) {
  return { subjectType: 'client', subjectId: clientId, accountId };
}
