// Proof: random histories of a payment, step by step against a small reference model: no amount, state or refusal differs, captured <= authorized, refunded <= captured, and log and listing add up.
import { histories, instrumentsOf } from '../payments/money-commands';
import { openMoneyWorld } from '../payments/money-world';
import { playTogether } from '../payments/side-by-side';
import fc from '../support/properties';
import { proof } from './proof';

const stepsMax = 50;
const sideBySide = 48;

proof('payments-model', { smoke: { histories: 48 }, full: { histories: 10_000 } }, async ({ size, random }) => {
  const counts = { histories: 0, steps: 0, operations: 0 };
  const world = await openMoneyWorld();
  const perRound = Math.min(sideBySide, size.histories);
  const rounds = fc.array(histories(stepsMax), { minLength: perRound, maxLength: perRound });
  try {
    const instruments = await instrumentsOf(world);
    const property = fc.asyncProperty(rounds, async (together) => {
      counts.operations += await playTogether(world, instruments, together);
      counts.histories += together.length;
      for (const { steps } of together) counts.steps += [...steps].length;
    });
    // The message has the one history that diverged; making it shorter would play its whole round again and again.
    await fc.assert(property, {
      seed: random.between(1, 2 ** 31 - 1),
      endOnFailure: true,
      reporter({ failed, errorInstance }) {
        if (failed) throw errorInstance;
      },
      numRuns: Math.ceil(size.histories / perRound),
    });
  } finally {
    await world.close();
  }
  return { ...counts, divergences: 0 };
});
