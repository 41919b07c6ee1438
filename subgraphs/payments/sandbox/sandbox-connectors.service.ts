// The sandbox's acquirer and methods with what they keep for themselves, ready to be handed to the money core.
import type { Connection } from 'mongoose';
import type { Environment } from '../../shared/callers/caller';
import type { Clock } from '../../shared/clock';
import type { Acquirer } from '../connectors/acquirer';
import type { AlternativeMethod } from '../connectors/alternative-method';
import { createSandboxAcquirerRepository } from './acquirer.repository';
import { createSandboxAcquirer } from './acquirer.service';
import { createMethodVisitRepository } from './alternative-method.repository';
import { createSandboxMethods } from './alternative-method.service';

export interface SandboxConnectors {
  acquirer: Acquirer;
  alternativeMethods: AlternativeMethod;
  ensureIndexes(): Promise<void>;
}

export function createSandboxConnectors(deps: {
  connection: Connection;
  environment: Environment;
  clock: Clock;
  /** Origin of the method page. */
  methodOrigin: string;
}): SandboxConnectors {
  const { connection, environment, clock, methodOrigin } = deps;
  const book = createSandboxAcquirerRepository(connection, environment);
  const visits = createMethodVisitRepository(connection, environment);
  return {
    acquirer: createSandboxAcquirer({ book, clock }),
    alternativeMethods: createSandboxMethods({ visits, clock, origin: methodOrigin }),
    async ensureIndexes() {
      await Promise.all([book, visits].map((repository) => repository.ensureIndexes()));
    },
  };
}
