// The notifications subgraph builds, and its contract has the names that clients rely on (docs/sandbox.md, section 7).
import { printSchema } from 'graphql';
import { createAudit } from '../../subgraphs/access/audit/audit';
import { createNotifications } from '../../subgraphs/notifications';
import { manualClock } from '../../subgraphs/shared/clock';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import { openTracedStores, type TracedStores } from '../slots/traced-stores';
import { schemaOf } from '../support/subgraph';

let stores: TracedStores;
beforeAll(async () => {
  stores = await openTracedStores();
});
afterAll(() => stores.close());

test('the contract', async () => {
  const notifications = createNotifications({
    audit: createAudit(manualClock(new Date())),
    isAccount: async (_environment, accountId) => accountId !== 'nobody',
    connection: stores.product,
    inTransaction: createCommitter(stores.product).inTransaction,
    idempotent: (_context, _field, run) => run(() => []),
    clock: manualClock(new Date()),
    vault: {} as never,
    config: {
      environment: 'sandbox',
      isSandbox: true,
      REST_URL: '',
      EVENT_REPLAY_DAYS: 30,
      CURSOR_KEY: 'AAAA',
      LANES: 1,
    },
  });
  await notifications.ensureIndexes();
  const sdl = printSchema(await schemaOf(notifications));
  for (const name of ['redeliverCallback(', 'callbacks(', 'tokenEvents(', 'timeline(']) expect(sdl).toContain(name);
});
