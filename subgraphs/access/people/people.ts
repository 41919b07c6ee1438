// People, wired: where they, their sessions and their views are kept, how they sign in, and what the graph knows of them.
import type { Connection } from 'mongoose';
import type { RecordChange } from '../../shared/callers/audit';
import type { Clock } from '../../shared/clock';
import type { Config } from '../../shared/config';
import type { ResolveReference } from '../../shared/graph/subgraph';
import type { Idempotent } from '../../shared/idempotency/idempotency';
import type { Find } from '../../shared/search';
import type { InTransaction } from '../../shared/store/unit-of-work';
import type { ClientRepository } from '../clients/client.repository';
import { createPersonRepository, type PersonRepository } from './person.repository';
import { PersonResolver, personReference } from './person.resolver';
import { createPersonSearch } from './person-search.repository';
import { createSavedViewRepository } from './saved-view.repository';
import { createSessionRepository } from './session.repository';
import { createSessionService, type SessionService } from './session.service';
import { ViewerResolver } from './viewer.resolver';

export interface People {
  sessions: SessionService;
  people: Pick<PersonRepository, 'findForAuthentication'>;
  find: Find;
  resolvers: object[];
  references: Record<string, ResolveReference>;
  ensureIndexes(): Promise<void>;
}

export function createPeople(deps: {
  connection: Connection;
  clock: Clock;
  inTransaction: InTransaction;
  idempotent: Idempotent;
  audit: RecordChange;
  config: Pick<Config, 'environment' | 'OIDC_ROLES' | 'SESSION_IDLE_MINUTES' | 'SESSION_HOURS'>;
  clients: Pick<ClientRepository, 'find'>;
}): People {
  const { connection, config } = deps;
  const people = createPersonRepository(connection);
  const kept = createSessionRepository(connection);
  const views = createSavedViewRepository(connection);
  const sessions = createSessionService({
    ...deps,
    people,
    sessions: kept,
    environment: config.environment,
    meanings: config.OIDC_ROLES,
    life: { idleMs: config.SESSION_IDLE_MINUTES * 60_000, wholeMs: config.SESSION_HOURS * 3_600_000 },
  });
  return {
    sessions,
    people,
    find: createPersonSearch(connection),
    resolvers: [
      new PersonResolver({ ...deps, people, views, onEnded: sessions.forgetRemembered }),
      new ViewerResolver({ people, views, clients: deps.clients, clock: deps.clock }),
    ],
    references: { Person: personReference(people) },
    async ensureIndexes() {
      await Promise.all([people, kept, views].map((repository) => repository.ensureIndexes()));
    },
  };
}
