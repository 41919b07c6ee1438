// The order of test files: those that take minutes start first, so that the run does not end with one of them alone. On a fresh clone jest knows no
// durations and would go by the size of the files.
const Sequencer = require('@jest/test-sequencer').default;

/** Parts of paths, longest first; measured on two cores. */
const long = [
  'browser/hosted-states',
  'rest/schemathesis',
  'faults/canary',
  'faults/kills',
  'faults/payment-kills',
  'browser/shop',
  'browser/journeys',
  'faults/',
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
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
};
