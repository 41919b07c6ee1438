// How test files load modules: those of this repository anew for each file, packages once for each worker, by Node itself.
const { createRequire, isBuiltin } = require('node:module');
const { default: Runtime } = require('jest-runtime');
const { begin, end } = require('./passed.cjs');

/** What belongs to the very file under test. */
const ofJest = /^(@jest\/|jest-|jest$|expect$)/;

/** `npm run check` asks for it: what a file read is written down for the next time. */
const isRemembered = process.env.REMEMBER_PASSED === 'yes';

module.exports = class SharedPackages extends Runtime {
  constructor(config, environment, resolver, transformer, sources, coverage, testPath, globalConfig) {
    super(config, environment, resolver, transformer, sources, coverage, testPath, globalConfig);
    this.sources = sources;
    this.testPath = testPath;
    if (isRemembered) begin();
  }

  teardown() {
    if (isRemembered) end(this.testPath, this.sources);
    super.teardown();
  }

  requireModuleOrMock(from, name) {
    const isPackage = !name.startsWith('.') && !name.startsWith('/') && !isBuiltin(name) && !ofJest.test(name);
    return isPackage ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
};
