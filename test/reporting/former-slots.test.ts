// Books that a release before wrote, which have no slot, beside those of this one: bookings add to them, days close over both, and what is added up agrees.
import { dayMs, merchants, openReportingWorld, type ReportingWorld } from './reporting-world';

const { one, two } = merchants;

let world: ReportingWorld;
beforeEach(async () => {
  world = await openReportingWorld();
});
afterEach(() => world.close());

const rows = (name: string) => world.stores.connection.collection(name);

/** As a process of a release before has written everything there is, beside its index of what is taken; books had their slots by then. */
async function withoutSlots(): Promise<void> {
  await rows('journal_entries').createIndex(
    { environment: 1, merchantId: 1, currency: 1, serial: 1, day: 1 },
    { unique: true, partialFilterExpression: { serial: { $gt: 0 } } },
  );
  for (const name of ['journal_entries', 'journal_days', 'journal_terms', 'payouts', 'payout_books'])
    await rows(name).updateMany({}, { $unset: { slot: true } });
}

const accountOf = (iban: string) => ({ bankAccount: { iban, swift: 'NDEANOKK' } });

test.each([
  ['with slots', async () => undefined],
  ['without', withoutSlots],
])('books that are %s', async (_case, layOut) => {
  const sell = async (amount: bigint) => {
    await world.commit(...[one, two].map((of) => world.operation(of, { amount })));
    await world.feed();
    await layOut();
  };
  await world.commit(world.approved(one, accountOf('NO9386011117947')));
  await sell(500n);
  await world.commit(world.approved(one, accountOf('NO8330001234567')));
  await sell(30n);
  expect(await rows('journal_terms').find().toArray()).toMatchObject([{ iban: 'NO8330001234567' }]);
  const firstDay = world.clock.now().toISOString().slice(0, 10);
  world.clock.advance(dayMs);
  await sell(7n);
  world.clock.advance(dayMs);
  // What was sold on the second day stays open: the serials of the first alone are taken.
  expect((await world.settle(firstDay)).map(({ date, amount }) => [date, amount])).toEqual([
    [firstDay, 530n],
    [firstDay, 530n],
  ]);
  await layOut();
  const secondDay = new Date(Date.parse(firstDay) + dayMs).toISOString().slice(0, 10);
  expect((await world.settle(secondDay)).map(({ amount }) => amount)).toEqual([7n, 7n]);
  const days = await rows('journal_days').find({ holder: 'sandbox:account:alpha' }).sort({ day: 1 }).toArray();
  expect(days.map(({ day, creditsMinor }) => [day, Number(creditsMinor)]).slice(0, 2)).toEqual([
    [firstDay, 1_060],
    [secondDay, 14],
  ]);
  expect((await world.reporting.checkBooks()).differences).toEqual([]);
  expect((await world.reporting.rebuild(false)).differences).toEqual([]);
});

test('what a batch adds to is in its slot afterwards, and nothing of another book is touched', async () => {
  await world.commit(...[one, two].map((of) => world.operation(of, { amount: 5n })));
  await world.feed();
  await withoutSlots();
  await world.commit(world.operation(one, { amount: 6n }));
  await world.feed();
  const given = await rows('journal_days')
    .find({}, { sort: { holder: 1 } })
    .toArray();
  expect(given.map(({ holder, slot }) => [holder, slot !== undefined])).toEqual([
    ['sandbox:account:alpha', true],
    ['sandbox:merchant:m-one', true],
    ['sandbox:merchant:m-two', false],
  ]);
});

test('a serial is taken once, whether or not the entry that has it has a slot', async () => {
  await world.commit(world.operation(one, { amount: 5n }));
  await world.feed();
  const insertAgain = () =>
    rows('journal_entries')
      .aggregate([{ $set: { _id: 'another' } }, { $merge: { into: 'journal_entries', whenMatched: 'fail' } }])
      .toArray();
  await expect(insertAgain()).rejects.toMatchObject({ code: 11_000 });
  await withoutSlots();
  await expect(insertAgain()).rejects.toMatchObject({ code: 11_000 });
});
