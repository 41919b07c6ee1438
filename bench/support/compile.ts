// Compiles one server of a benchmark into dist/bench/, packages left out, so that its memory holds no compiler and its profiles name our files.
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { transform } from '@swc/core';
import { build, type Plugin } from 'esbuild';

const bench = resolve(__dirname, '..');
const root = resolve(bench, '..');

/** The path of the compiled file. */
export async function compileServer(file: string): Promise<string> {
  const outfile = join(root, 'dist/bench', file.replace(/\.ts$/, '.js'));
  await build({
    entryPoints: [join(bench, file)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    sourcemap: 'linked',
    logLevel: 'warning',
    banner: { js: "require('reflect-metadata');" },
    plugins: [typescript],
  });
  return outfile;
}

/** esbuild emits no decorator metadata, which type-graphql reads; swc does. `__dirname` stays the source's folder. */
const typescript: Plugin = {
  name: 'typescript',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const { code } = await transform(source, {
        filename: path,
        sourceFileName: relative(root, path),
        swcrc: false,
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          target: 'es2023',
        },
        sourceMaps: 'inline',
      });
      const folder = /\b__dirname\b/.test(source) ? `const __dirname = ${JSON.stringify(dirname(path))};` : '';
      return { contents: folder + code, loader: 'js' };
    });
  },
};
