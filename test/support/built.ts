// The build that a test starts programs from: made anew where a source has changed since, so that no test judges yesterday's code.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
let isCurrent = process.env['BUILD_IS_CURRENT'] === 'yes';

/** The path of something in the build, such as `cli.js`; throws with the compiler's words when the sources do not build. */
export function built(path: string): string {
  if (!isCurrent) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/prepare.mjs'], {
      cwd: root,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${stdout}${stderr}`);
    isCurrent = true;
  }
  return join(root, 'dist', path);
}
