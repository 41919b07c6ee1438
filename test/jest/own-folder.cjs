// A run's own temporary folder: whatever its files, and the programs that they start, put there goes with the run, also with a single `npx jest`.
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** jest's globalSetup. Names are short: a socket's path has 107 bytes. */
module.exports = async function ownFolder() {
  // What a failure leaves for people outlives the run.
  process.env['KEPT_IN'] ??= tmpdir();
  const folder = mkdtempSync(join(tmpdir(), 'jest-'));
  process.env['TMPDIR'] = folder;
  // Not jest's globalTeardown: that comes before the last of the workers has ended.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
};
