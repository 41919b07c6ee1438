// Builds the programs that run in a browser as pages of their own, the dashboard and the graph's explorer, with Vite.
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What most screens need, as one file: in thirty small ones it is compressed 5 % worse. */
const kit = { name: 'kit', test: /dashboard\/(kit|graph|shell|live)\//, minShareCount: 8 };

/** From a folder below `root` into the one of its name in `out`, in whose place it comes once it is whole. */
export async function buildPages(folder, { root, out }, base) {
  const { build } = await import('vite');
  const target = join(out, folder);
  const fresh = `${target}.${process.pid}`;
  // Of a build that a test begins, too: React for developers is 125 kB compressed where this is 71.
  process.env['NODE_ENV'] = 'production';
  await build({
    root: join(root, folder),
    base,
    logLevel: 'error',
    build: {
      outDir: fresh,
      emptyOutDir: true,
      chunkSizeWarningLimit: 20_000,
      // The browsers that it is built for fetch such links by themselves.
      modulePreload: { polyfill: false },
      rolldownOptions: { output: { codeSplitting: { groups: [kit] } } },
    },
  }).catch((error) => {
    rmSync(fresh, { recursive: true, force: true });
    throw new Error(`The build of ${folder} failed: ${error.message.split('\n')[0]}`);
  });
  rmSync(target, { recursive: true, force: true });
  renameSync(fresh, target);
}
