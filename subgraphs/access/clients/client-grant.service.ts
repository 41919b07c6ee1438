// Scopes of a client: what one person may set, and what two decide about (decision register, Two persons).
import type { RequestContext } from '../../shared/callers/context';
import type { Conclude, Propose } from '../../shared/callers/proposal';
import { DomainError } from '../../shared/errors';
import { type Client, decideScopes } from './client';
import {
  type Change,
  type ClientChangeDeps,
  type Complete,
  changeOnce,
  scopesChange,
  subjectOf,
} from './client-change.service';

export interface Grant {
  clientId: string;
  scopes: string[];
}

export async function proposeScopes(
  deps: ClientChangeDeps & { propose: Propose },
  context: RequestContext,
  { clientId, scopes }: Grant,
  complete: Complete<{ proposalId: string }>,
): Promise<{ proposalId: string }> {
  const [client] = await deps.clients.find(context.caller, [clientId]);
  if (!client) throw new DomainError('notFound');
  const { changes } = requireGrant(client, scopes);
  const proposal = { kind: 'CLIENT_SCOPES', ...subjectOf(client), reason: null, changes } as const;
  return deps.propose(context, { ...proposal, input: { clientId, scopes } }, complete);
}

export async function grantScopes(
  deps: ClientChangeDeps,
  context: RequestContext,
  { clientId, scopes }: Grant,
  conclude: Conclude,
): Promise<void> {
  const decide = (found: Client) => requireGrant(found, scopes);
  await changeOnce(deps, { context, clientId, decide, beside: () => conclude(null) });
}

/** Null when it changes nothing. */
export function decideGrant(client: Client, wanted: string[]): Change {
  const scopes = decideScopes(client, wanted);
  if (scopes.join() === client.scopes.join()) return null;
  return { next: { scopes }, action: 'client.scopesChanged', changes: [scopesChange(client.scopes, scopes)] };
}

function requireGrant(client: Client, wanted: string[]): NonNullable<Change> {
  const grant = decideGrant(client, wanted);
  if (!grant) throw new DomainError('invalidState', 'the client has these scopes already');
  return grant;
}
