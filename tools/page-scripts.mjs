// Builds the scripts of the payment pages: small, without packages, the same bytes for the same sources, because their hashes are promised to shops.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'pages/browser';
/** The field script of shops, the inside of its frames, and what helps the pages that also work without. */
const entries = ['sdk', 'frame', 'hosted', 'challenge', 'shop'];
/** Published beside the script, for editors. */
const declarations = ['payment-fields.d.ts'];

/** Writes the scripts below `out`, mirrored as their sources lie; throws an Error whose message is one sentence. */
export async function buildPageScripts(root, out) {
  const { build } = await import('esbuild');
  const target = join(out, folder);
  mkdirSync(target, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: entries.map((name) => join(root, folder, `${name}.ts`)),
    outdir: target,
    bundle: true,
    platform: 'browser',
    target: 'es2020',
    format: 'iife',
    minify: true,
    legalComments: 'none',
    charset: 'ascii',
    logLevel: 'silent',
    tsconfig: join(root, folder, 'tsconfig.json'),
  }).catch((error) => {
    const [first] = error.errors ?? [];
    const place = first?.location ? `${first.location.file}:${first.location.line}: ` : '';
    throw new Error(`The build of the page scripts failed: ${place}${first?.text ?? error.message}`);
  });
  for (const name of declarations) copyFileSync(join(root, folder, name), join(target, name));
}
