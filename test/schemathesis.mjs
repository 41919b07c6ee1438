// Brings schemathesis, the independent reader of the OpenAPI file: a Python program, pinned, kept in the cache like the database servers.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PrepareFailure } from '../tools/prepare.mjs';

const version = '4.32.5';

/** The path of the program; SCHEMATHESIS names another. Throws a PrepareFailure where it cannot be had. */
export function findSchemathesis(cacheDir, env = process.env) {
  if (env.SCHEMATHESIS) return env.SCHEMATHESIS;
  const folder = join(cacheDir, `schemathesis-${version}`);
  const program = join(folder, 'bin/schemathesis');
  if (existsSync(program)) return program;
  mkdirSync(cacheDir, { recursive: true });
  if (!install(folder, env)) {
    installPython(env);
    rmSync(folder, { recursive: true, force: true });
    if (!install(folder, env)) {
      rmSync(folder, { recursive: true, force: true });
      throw new PrepareFailure(
        'The test of the OpenAPI file needs schemathesis, which python3 with venv and pip could not install: install python3-venv, or set SCHEMATHESIS to the program.',
      );
    }
  }
  return program;
}

function install(folder, env) {
  const succeeds = (command, args) => spawnSync(command, args, { env, stdio: 'ignore', timeout: 600_000 }).status === 0;
  return (
    succeeds('python3', ['-m', 'venv', folder]) &&
    succeeds(join(folder, 'bin/pip'), ['install', '--quiet', `schemathesis==${version}`])
  );
}

function installPython(env) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return;
  const options = {
    stdio: /** @type {const} */ ('ignore'),
    timeout: 600_000,
    env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'python3-venv', 'python3-pip'], options);
}
