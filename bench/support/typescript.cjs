// Lets node load the TypeScript of this repository as it stands, for benchmarks only: `node --require ./bench/support/typescript.cjs file.ts`.
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');
require('reflect-metadata');

require.extensions['.ts'] = (/** @type {any} */ module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    swcrc: false,
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      target: 'es2023',
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  });
  module._compile(code, filename);
};
