// A client met by its key from another subgraph: absent, foreign, and not for this caller's eyes look alike.
import { hasScope } from '../shared/caller';
import type { ResolveReference } from '../shared/subgraph';
import type { ClientRepository } from './client.repository';
import { clientLoader } from './client.resolver';

export function clientReference(clients: ClientRepository): ResolveReference {
  return ({ clientId }, context) =>
    typeof clientId === 'string' && hasScope(context.caller, 'graph:read', 'graph:admin')
      ? clientLoader(clients, context).load(clientId)
      : null;
}
