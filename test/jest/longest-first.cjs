// The order of test files: those that take longest start first, so that the run does not end with one of them alone. On a fresh clone jest knows no
// durations and would go by the size of the files.
const Sequencer = require('@jest/test-sequencer').default;

/** Parts of paths, longest first; for a checkout that has not run them yet. */
const long = [
  'app/database-users',
  'browser/challenge',
  'browser/hosted-states',
  'rest/schemathesis',
  'faults/canary',
  'faults/kills',
  'faults/payment-kills',
  'browser/shop',
  'browser/journeys',
  'browser/frames.',
  'app/operator',
  'cli/walk-through',
  'recipes/',
  'rest/checkout-input',
  'faults/',
  'lists/list-plans',
  'tidy/unused',
  'workers/watchdog',
  'tidy.test',
  'app/',
  'deploy/',
  'cli/',
  'browser/',
  'rest/',
  'tenancy/',
];

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const place = long.findIndex((part) => path.includes(`/test/${part}`));
      return place < 0 ? long.length : place;
    };
    const sorted = /** @type {any[]} */ (super.sort(tests));
    if (sorted.every(({ duration }) => duration !== undefined)) return sorted;
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
};
