// Brings Hive Gateway for its test: the example of docs/hive-gateway with what its lock file names, kept in the cache like the database servers.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PrepareFailure, root } from '../tools/prepare.mjs';

const example = join(root, 'docs/hive-gateway');

/** The folder with the gateway; HIVE_GATEWAY names another. Throws a PrepareFailure where it cannot be had. */
export function findHiveGateway(cacheDir, env = process.env) {
  if (env.HIVE_GATEWAY) return env.HIVE_GATEWAY;
  const lock = readFileSync(join(example, 'package-lock.json'));
  const folder = join(cacheDir, `hive-gateway-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`);
  if (!existsSync(join(folder, 'installed')) && !install(folder, env)) {
    rmSync(folder, { recursive: true, force: true });
    throw new PrepareFailure(
      'The test of a gateway of others needs Hive Gateway, which npm could not install: set HIVE_GATEWAY to a folder where it is.',
    );
  }
  for (const file of ['gateway.mjs', 'signed-calls.mjs']) cpSync(join(example, file), join(folder, file));
  return folder;
}

function install(folder, env) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) cpSync(join(example, file), join(folder, file));
  const options = { cwd: folder, env, stdio: /** @type {const} */ ('ignore'), timeout: 600_000 };
  if (spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options).status !== 0) return false;
  mkdirSync(join(folder, 'installed'));
  return true;
}
