// The environment of every test file: the worker's own realm, so that packages are loaded once for all of its files. What a file leaves behind ends with it.
const asyncHooks = require('node:async_hooks');
const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { register } = require('prom-client');
require('reflect-metadata');

/** jest compiles each module for the context of its environment; that of ours is the realm that it runs in itself. */
const ownContext = {};
const { compileFunction } = vm;
/** What was compiled for one file serves the next ones: it gets its module, exports and require with each call. */
const compiled = new Map();
vm.compileFunction = (code, parameters, { parsingContext, ...options }) => {
  if (parsingContext !== ownContext) return compileFunction(code, parameters, { parsingContext, ...options });
  const { filename } = options;
  if (compiled.get(filename)?.code !== code)
    // Without jest's import(), which only throws here and would hold the first file's modules for ever.
    compiled.set(filename, { code, run: compileFunction(code, parameters, { filename }) });
  return compiled.get(filename).run;
};

/** Each test file brings a runner with a storage of its own, which every promise of all later files would have to look at. */
const storages = new Set();
asyncHooks.AsyncLocalStorage = class extends asyncHooks.AsyncLocalStorage {
  constructor(options) {
    super(options);
    storages.add(this);
  }
};

module.exports = class OneRealm {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    this.env = { ...process.env };
    // What the product's decorators and metrics declare while they are loaded, anew for each file.
    delete globalThis.TypeGraphQLMetadataStorage;
    register.clear();
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    for (const storage of storages) storage.disable();
    storages.clear();
    for (const name of Object.keys(process.env)) if (!(name in this.env)) delete process.env[name];
    Object.assign(process.env, this.env);
  }

  getVmContext() {
    return ownContext;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }
};
