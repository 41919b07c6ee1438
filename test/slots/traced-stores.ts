// Stores whose product side is watched: what it asks of sharded collections is judged when the stores are closed (docs/scale.md, What waits for a later step).
import type { CommandStartedEvent } from 'mongodb';
import type { Connection } from 'mongoose';
import { openMongo } from '../../subgraphs/shared/store/mongo';
import { openStores, patient, type Stores } from '../support/stores';
import { faultOf, isSharded } from './slot-rules';
import { type Statement, statementsOf } from './statements';

export interface TracedStores extends Stores {
  /** For what is tested; `connection` is for what a test itself looks up and lays out, which is not judged. */
  product: Connection;
  /** On sharded collections, so far. */
  statements: Statement[];
}

/** `close` fails with every statement that breaks a rule. */
export async function openTracedStores(open: () => Promise<Stores> = openStores): Promise<TracedStores> {
  const stores = await open();
  const product = await openMongo(stores.mongoUri, 'test', {
    ...patient,
    monitorCommands: true,
  });
  const statements: Statement[] = [];
  const faults = new Set<string>();
  product.connection.getClient().on('commandStarted', (event: CommandStartedEvent) => {
    for (const statement of statementsOf(event).filter(isSharded)) {
      statements.push(statement);
      const fault = faultOf(statement);
      if (fault) faults.add(fault);
    }
  });
  return {
    ...stores,
    product: product.connection,
    statements,
    async close() {
      await product.close();
      await stores.close();
      if (faults.size > 0) throw new Error(`Not fit for shards:\n${[...faults].sort().join('\n')}`);
    },
  };
}
