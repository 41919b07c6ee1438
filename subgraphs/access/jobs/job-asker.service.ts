// In whose name the rows of a job are done: whoever began it, with the rights that are left now. Asked anew for every few rows.
import type { Caller, Environment } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { may } from '../../shared/callers/rights';
import type { ClientRepository } from '../clients/client.repository';
import { credentialIdOf } from '../people/person';
import type { PersonRepository } from '../people/person.repository';
import { type Job, jobActs } from './job';
import type { JobServiceDeps } from './job.service';
import { failure, type RowEnding } from './job-row';

/** Runs a persisted operation of the graph. */
export type ExecuteOperation = (
  operation: string,
  variables: Record<string, unknown>,
  context: RequestContext,
) => Promise<{
  data?: Record<string, unknown> | null;
  errors?: readonly { message: string; extensions?: Record<string, unknown> }[];
}>;

/** What carrying jobs out needs. */
export interface JobRunDeps extends Omit<JobServiceDeps, 'audit' | 'idempotent'> {
  environment: Environment;
  execute: ExecuteOperation;
  clients: Pick<ClientRepository, 'findForAuthentication'>;
  people: Pick<PersonRepository, 'findForAuthentication'>;
}

const personPrefix = credentialIdOf({ personId: '' });

/** The caller, or how every row ends that is not begun. */
export async function askerOf(deps: JobRunDeps, job: Job): Promise<Caller | RowEnding> {
  const caller = job.startedBy.startsWith(personPrefix) ? await personOf(deps, job) : await clientOf(deps, job);
  if (!caller) return failure('forbidden', `${job.startedByName}, who began it, may do nothing here any more.`);
  const { right } = jobActs[job.act];
  return may(caller, right) ? caller : failure('forbidden', `${job.startedByName}, who began it, lacks ${right} now.`);
}

/** Signed in a moment ago, as far as acts of money go: that was asked when the job began. */
async function personOf({ clock, people }: JobRunDeps, job: Job): Promise<Caller | null> {
  const { environment, accountId, startedBy: credentialId } = job;
  const [person] = await people.findForAuthentication(environment, [credentialId.slice(personPrefix.length)]);
  if (person?.status !== 'ACTIVE' || person.accountId !== accountId) return null;
  const { name, scopes } = person;
  return { kind: 'person', credentialId, environment, accountId, name, scopes, identifiers: [], authTime: clock.now() };
}

async function clientOf({ clients }: JobRunDeps, job: Job): Promise<Caller | null> {
  const { environment, accountId, startedBy: credentialId } = job;
  const [client] = await clients.findForAuthentication(environment, [credentialId]);
  if (client?.status !== 'ACTIVE' || client.accountId !== accountId) return null;
  const scopes = job.scopes.filter((scope) => client.scopes.includes(scope));
  return { kind: 'client', credentialId, environment, accountId, scopes, identifiers: [] };
}
