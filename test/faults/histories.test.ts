// What counts as a history that agrees with what clients were told (histories.ts), and what does not.
import { historyFaults } from './histories';
import type { Step } from './traffic';

const [created, updated, suspended, resumed] = ['created', 'cardUpdated', 'suspended', 'resumed'].map(
  (word) => `virtualAccount.${word}`,
);
const step = (name: Step['name'], tries = 1, isAcknowledged = true): Step => ({ name, tries, isAcknowledged });

test.each<[string, Step[], (string | undefined)[], boolean]>([
  ['each step once', [step('CREATE'), step('SUSPEND')], [created, suspended], true],
  ['an acknowledged step that is missing', [step('CREATE'), step('SUSPEND')], [created], false],
  ['a step that nobody asked for', [step('CREATE')], [created, suspended], false],
  ['a step without an answer that did not happen', [step('CREATE'), step('SUSPEND', 2, false)], [created], true],
  ['a suspension for each of two tries', [step('CREATE'), step('SUSPEND', 2)], [created, suspended, suspended], false],
  ['a change of the card for each try', [step('CREATE'), step('EXTEND_EXPIRY', 2)], [created, updated, updated], true],
  ['more changes of it than tries', [step('CREATE'), step('EXTEND_EXPIRY')], [created, updated, updated], false],
  [
    'a lost try that was done after the next step',
    [step('CREATE'), step('EXTEND_EXPIRY', 2), step('SUSPEND')],
    [created, updated, suspended, updated],
    true,
  ],
  [
    'a change of it after the next step where no try was lost',
    [step('CREATE'), step('EXTEND_EXPIRY'), step('SUSPEND')],
    [created, updated, suspended, updated],
    false,
  ],
  [
    'more changes of it than tries, some of them late',
    [step('CREATE'), step('EXTEND_EXPIRY', 2), step('SUSPEND'), step('RESUME')],
    [created, updated, suspended, updated, resumed, updated],
    false,
  ],
  [
    'a lost suspension that was done after the resumption',
    [step('CREATE'), step('SUSPEND', 2), step('RESUME')],
    [created, suspended, resumed, suspended],
    true,
  ],
  [
    'a suspension after the resumption where no try was lost',
    [step('CREATE'), step('SUSPEND'), step('RESUME')],
    [created, suspended, resumed, suspended],
    false,
  ],
  [
    'steps in another order',
    [step('CREATE'), step('SUSPEND'), step('EXTEND_EXPIRY')],
    [created, updated, suspended],
    false,
  ],
  ['a second account for a second try', [step('CREATE', 2), step('SUSPEND')], [created, suspended, created], false],
])('%s', (_what, steps, types, isRight) => {
  const events = types.map((type = '') => ({ type }));
  const found = historyFaults({ virtualAccountId: 'one', steps }, new Map([['one', events]]));
  expect(found.length === 0).toBe(isRight);
});
