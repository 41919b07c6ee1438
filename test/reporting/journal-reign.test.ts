// The journal's leader dies in the middle of its transaction: its successor ends what was left open, and books.
import { createLog } from '../../subgraphs/shared/log/log';
import { openMongo } from '../../subgraphs/shared/store/mongo';
import { startFeedWorker } from '../../workers';
import { eventually } from '../support/stores';
import { merchants, openReportingWorld, type ReportingWorld } from './reporting-world';

let world: ReportingWorld;
beforeAll(async () => {
  world = await openReportingWorld();
});
afterAll(() => world.close());

const log = createLog('silent', 'test');
/** What its successor says when it could not book. */
const said: string[] = [];
const heard = Object.assign(Object.create(log), { error: (_fields: object, message: string) => said.push(message) });

/** A process of which nothing is heard any more once it wants to commit: its transaction stays open in the database. */
async function openDying() {
  const mongo = await openMongo(world.stores.mongoUri, 'dying');
  const client = mongo.connection.getClient();
  const startSession = client.startSession.bind(client);
  let isDead = false;
  client.startSession = (...given) => {
    const session = startSession(...given);
    session.commitTransaction = () => {
      isDead = true;
      return new Promise(() => undefined);
    };
    return session;
  };
  return { connection: mongo.connection, isDead: () => isDead, close: () => mongo.close() };
}

test('another books at once what a leader that died had begun to book: its open transaction keeps nobody out', async () => {
  const { one } = merchants;
  await world.commit(world.operation(one, { amount: 1_000n }));
  await world.feed();
  const dying = await openDying();
  const inIt = world.another({ connection: dying.connection });
  const first = startFeedWorker({
    connection: dying.connection,
    // That it stands still is what it is for, and on a slow machine its watchdog says so.
    log,
    feeds: inIt.feeds,
    feedNext: inIt.bookNext,
    kind: 'journal',
  });
  await world.commit(world.operation(one, { amount: 2_000n }));
  await world.position();
  await eventually(dying.isDead);

  const { connection } = world.stores;
  await connection.collection('leases').updateOne({ _id: 'journal:1:0' as never }, { $set: { until: new Date(0) } });
  const second = startFeedWorker({
    kind: 'journal',
    connection: world.stores.product,
    log: heard,
    feeds: world.reporting.feeds,
    feedNext: world.reporting.bookNext,
  });
  const booked = () => connection.collection('journal_entries').countDocuments();
  await eventually(async () => (await booked()) === 2);
  const days = await connection
    .collection('journal_days')
    .find({ holder: /merchant:m-one/ })
    .toArray();
  expect(said).toEqual([]);
  expect(days.map(({ creditsCount }) => Number(creditsCount))).toEqual([2]);

  await second.stop();
  await first.stop();
  await dying.close();
});
