// Histories of many payments side by side in one world: they share its clock, its janitor and its commits, and each is compared by itself in the end.
import { compareLater, type History, newReal, play, type Real, timePasses } from './money-commands';
import { dayMs, type MoneyWorld } from './money-world';
import type { Model } from './reference-model';

/** Plays every history on a payment of its own; rejects with the history that diverged. Returns how many operations were made. */
export async function playTogether(
  world: MoneyWorld,
  instruments: Real['instruments'],
  together: readonly History[],
): Promise<number> {
  const time = sharedTime(world, together.length);
  const played = await Promise.allSettled(
    together.map(async (history, place) => {
      const real = await newReal(world, instruments, (ms) => time.wait(place, ms));
      try {
        const model = await play(history, real);
        while (await time.follow()) timePasses(model, real);
        return { real, model };
      } catch (error) {
        time.leave();
        throw new Error(`${history.opening ?? 'no charge'},${history.steps}\n${error}`, { cause: error });
      }
    }),
  );
  const ends = played.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  // Whatever is still open comes to its end.
  world.clock.advance(8 * dayMs);
  await world.money.settle();
  for (const { model, real } of ends) await compareLater(model, real);
  await audit(world, new Map(ends.map(({ real, model }) => [real.paymentId, model])));
  return ends.reduce((sum, { model }) => sum + model.operations, 0);
}

/** Time passes when every history has come to a wait or to its end: by what the first that waits asks for. */
function sharedTime(world: MoneyWorld, count: number) {
  let going = count;
  let waiting: { place: number; ms: number; goOn(passed: Promise<void>): void }[] = [];
  let ended: ((hasPassed: boolean | Promise<boolean>) => void)[] = [];

  async function pass(ms: number): Promise<void> {
    world.clock.advance(ms);
    await world.money.settle();
  }
  function passWhenAllAreThere(): void {
    if (waiting.length + ended.length < going) return;
    const [here, over] = [waiting.sort((one, other) => one.place - other.place), ended];
    [waiting, ended] = [[], []];
    const passed = here[0] && pass(here[0].ms);
    for (const { goOn } of here) if (passed) goOn(passed);
    for (const goOn of over) goOn(passed ? passed.then(() => true) : false);
  }
  function arrive(register: () => void): void {
    register();
    passWhenAllAreThere();
  }

  return {
    wait: (place: number, ms: number) => new Promise<void>((goOn) => arrive(() => waiting.push({ place, ms, goOn }))),
    /** Of one that came to its end: true when time has passed for the others, false when all have ended. */
    follow: () => new Promise<boolean>((goOn) => arrive(() => ended.push(goOn))),
    leave: () =>
      arrive(() => {
        going -= 1;
      }),
  };
}

/** What the log and the listing must say about the payments in the end. */
async function audit({ connection }: MoneyWorld, models: ReadonlyMap<string, Model>): Promise<void> {
  const ids = [...models.keys()];
  const [events, operations] = await Promise.all([
    connection
      .collection('events')
      .find({ aggregateId: { $in: ids } })
      .sort({ sequence: 1 })
      .toArray(),
    connection
      .collection('operations')
      .find({ paymentId: { $in: ids } })
      .toArray(),
  ]);
  for (const [id, model] of models)
    auditOne(
      model,
      events.filter(({ aggregateId }) => aggregateId === id),
      operations.filter(({ paymentId }) => paymentId === id),
    );
}

type Row = Record<string, unknown>;

function auditOne(model: Model, events: readonly Row[], operations: readonly Row[]): void {
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  expect(operations).toHaveLength(model.operations);
  const sum = (results: string[]) =>
    operations
      .filter(({ type, result }) => results.includes(`${type} ${result}`))
      .reduce((total, { amountMinor }) => total + BigInt(amountMinor as number | bigint), 0n);
  expect(sum(['AUTHORIZATION AUTHORIZED', 'INCREMENTAL AUTHORIZED'])).toBe(model.authorized);
  expect(sum(['CAPTURE EXECUTED']) - sum(['CANCEL VOIDED'])).toBe(model.captured);
  expect(sum(['REFUND REFUNDED'])).toBe(model.refunded);
  const last = new Map(
    events.map(({ data }) => [(data as Row)['operationId'], (data as Row)['operationResult']] as const),
  );
  for (const { _id, result } of operations) expect(last.get(_id)).toBe(result);
}
