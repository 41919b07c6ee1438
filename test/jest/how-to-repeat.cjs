// After a failed run by hand: where the logs of its programs are, and the command that runs the failed files again with the same draws. `npm test` says it itself.
const { existsSync } = require('node:fs');
const { basename, join, relative } = require('node:path');

module.exports = class HowToRepeat {
  constructor({ rootDir }) {
    this.root = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    const failed = testResults.filter(({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError);
    if (process.env.TEST_LOGS || failed.length === 0) return;
    for (const { testFilePath } of failed) {
      const logs = join('.data/test-logs', basename(testFilePath, '.test.ts'));
      if (existsSync(join(this.root, logs))) process.stdout.write(`Logs of its programs: ${logs}\n`);
    }
    const { PROPERTY_SEED, PROOF_SEED, TOPOLOGY } = process.env;
    const chosen = Object.entries({ PROPERTY_SEED, PROOF_SEED, TOPOLOGY }).filter(([, value]) => value);
    const files = failed.map(({ testFilePath }) => relative(this.root, testFilePath));
    process.stdout.write(`${['Again:', ...chosen.map((pair) => pair.join('=')), 'npx jest', ...files].join(' ')}\n`);
  }
};
