// One jest for everything: swc compiles TypeScript, with the decorator metadata that type-graphql reads; Node itself loads the packages, once for each worker.
const swc = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2023',
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

module.exports = {
  // Not in the temporary folder, which is the run's own.
  cacheDirectory: '<rootDir>/.data/jest',
  globalSetup: '<rootDir>/test/jest/own-folder.cjs',
  testEnvironment: '<rootDir>/test/jest/one-realm.cjs',
  runtime: '<rootDir>/test/jest/shared-packages.cjs',
  rootDir: __dirname,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: { '^.+\\.(ts|tsx)$': ['@swc/jest', swc] },
  reporters: ['default', '<rootDir>/test/jest/how-to-repeat.cjs'],
  testSequencer: '<rootDir>/test/jest/longest-first.cjs',
  // Only a test that hangs is ended by it: machines differ, and no test measures time.
  testTimeout: 900_000,
  // More than cores: most files wait for a process, a database or a clock most of the time.
  maxWorkers: 5,
};
