// Kills processes of a program at work, one kind after the other, and waits until another serves in each one's place.
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../support/stores';
import type { World } from '../support/world';
import { whileTimeLasts } from './proof';
import type { Random } from './random';

/** Role names without their number: each kind is killed as often as asked. */
export function kindsOf(world: World): string[] {
  const roles = world
    .processes()
    .map(({ role }) => role)
    .filter((role) => role !== 'launcher');
  return [...new Set(roles.map((role) => (world.topology === 'embedded' ? role : role.replace(/-\d+$/, ''))))];
}

interface Killing {
  kinds: readonly string[];
  random: Random;
  traffic: { count(): number };
  /** Steps that must succeed between two kills: each fault hits a program at work. */
  between: number;
}

/** Waits until so many more steps have succeeded. */
export async function goOn(traffic: { count(): number }, steps: number): Promise<void> {
  const goal = traffic.count() + steps;
  await eventually(() => traffic.count() >= goal, { timeoutMs: 120_000 + steps * 1_000 });
}

/** Kills one process of each kind in turn, each once the load has got on; resolves with the number of kills. */
export async function killUnderLoad(world: World, { kinds, random, traffic, between }: Killing): Promise<number> {
  let kills = 0;
  for (const kind of whileTimeLasts(kinds)) {
    await goOn(traffic, between);
    const members = world.processes().filter(({ role }) => role === kind || role.replace(/-\d+$/, '') === kind);
    const { role, pid } = world.kill(random.pick(members).role);
    await world.replaced(role, pid);
    await wait(random.between(0, 300));
    kills += 1;
  }
  return kills;
}
