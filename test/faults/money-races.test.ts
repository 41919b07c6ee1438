// Proof: calls that race for the same money, the same visit or the same account, many rounds each: one winner, documented refusals, a legal end told once, and books that agree.
import type { Db } from 'mongodb';
import { auditMoney } from './payment-audit';
import { expectNone, type Figures, proof } from './proof';
import { openCheckoutRaces } from './races/checkout';
import { openMoneyRaces } from './races/money';
import { comeAgain, faultsOf, type Race } from './races/race';
import { openTokenRaces } from './races/token';
import type { Random } from './random';

/** Plays each race so often; tells how many calls were made and how many of them were told to come again. */
async function play(races: readonly Race[], rounds: number): Promise<Record<'races' | 'calls' | 'again', number>> {
  let [calls, again] = [0, 0];
  for (const race of races) {
    const faults: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const played = await race.run();
      faults.push(...faultsOf(race, played));
      calls += Object.values(played.counts).reduce((sum, count) => sum + count, 0);
      again += played.counts[comeAgain] ?? 0;
    }
    expectNone(`rounds of ${rounds} that came to no allowed end`, faults);
  }
  return { races: races.length, calls, again };
}

async function run(rounds: number, random: Random): Promise<Figures> {
  const total = { races: 0, rounds, calls: 0, 'told to come again': 0, payments: 0 };
  const opened = [openMoneyRaces, openCheckoutRaces, openTokenRaces];
  for (const open of opened) {
    const { world, races, finish } = await open(random);
    try {
      const { again, ...played } = await play(races, rounds);
      total.races += played.races;
      total.calls += played.calls;
      total['told to come again'] += again;
      await finish?.();
      const database = world.stores.connection.db as unknown as Db;
      total.payments += (await auditMoney(database)).payments;
    } finally {
      await world.close();
    }
  }
  return { ...total, 'second winners': 0, 'units off': 0 };
}

proof('money-races', { smoke: { rounds: 1 }, full: { rounds: 1_000 } }, ({ size, random }) => run(size.rounds, random));
