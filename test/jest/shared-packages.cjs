// How test files load modules: those of this repository anew for each file, packages once for each worker, by Node itself.
const { createRequire, isBuiltin } = require('node:module');
const { default: Runtime } = require('jest-runtime');

/** What belongs to the very file under test. */
const ofJest = /^(@jest\/|jest-|jest$|expect$)/;

module.exports = class SharedPackages extends Runtime {
  requireModuleOrMock(from, name) {
    const isPackage = !name.startsWith('.') && !name.startsWith('/') && !isBuiltin(name) && !ofJest.test(name);
    return isPackage ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
};
