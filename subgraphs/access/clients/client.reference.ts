// A client met by its key from another subgraph: absent, foreign, and not for this caller's eyes look alike.
import { may } from '../../shared/callers/rights';
import type { ResolveReference } from '../../shared/graph/subgraph';
import type { ClientRepository } from './client.repository';
import { clientLoader } from './client.resolver';

export function clientReference(clients: ClientRepository): ResolveReference {
  return ({ clientId }, context) =>
    typeof clientId === 'string' && may(context.caller, 'clients:read')
      ? clientLoader(clients, context).load(clientId)
      : null;
}
