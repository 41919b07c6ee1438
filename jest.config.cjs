// One jest for everything: swc compiles TypeScript (with decorator metadata, which type-graphql reads) and the few packages that ship ESM only.
const swc = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2023',
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

// jose ships ESM only; the MongoDB driver's adapters use a dynamic import, which jest's CommonJS has not.
const esm = 'node_modules/(jose/.+|mongodb/lib/runtime_adapters)\\.js$';

module.exports = {
  testEnvironment: '<rootDir>/test/jest/one-realm.cjs',
  runtime: '<rootDir>/test/jest/shared-packages.cjs',
  rootDir: __dirname,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: { '^.+\\.(ts|tsx)$': ['@swc/jest', swc], [esm]: ['@swc/jest', swc] },
  transformIgnorePatterns: ['/node_modules/(?!(jose/|mongodb/lib/runtime_adapters))'],
  testSequencer: '<rootDir>/test/longest-first.cjs',
  setupFiles: ['reflect-metadata'],
  // Only a test that hangs is ended by it: machines differ, and no test measures time.
  testTimeout: 900_000,
  maxWorkers: 3,
};
