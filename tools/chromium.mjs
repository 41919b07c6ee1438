// A Chromium for the browser tests, in this order: named, installed, Playwright's own, Debian's package. The headless shell goes before the
// whole browser: the same engine without the browser's own windows and services, at a little over half of the processor time of each page.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PrepareFailure, root } from './prepare.mjs';

const names = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium, brought if need be; throws a PrepareFailure where none can be had. */
export function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) {
    if (isExecutable(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH;
    throw new PrepareFailure(
      `CHROMIUM_PATH names ${env.CHROMIUM_PATH}, which cannot be run: set it to a Chromium or Chrome, or unset it.`,
    );
  }
  const found = installed(env) ?? playwrightDownload(env);
  if (found) return found;
  const playwright = join(root, 'node_modules/playwright-core/cli.js');
  spawnSync(process.execPath, [playwright, 'install', 'chromium'], { stdio: 'ignore', timeout: 180_000 });
  const downloaded = playwrightDownload(env);
  if (downloaded) return downloaded;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    const options = {
      stdio: /** @type {const} */ ('ignore'),
      timeout: 600_000,
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    spawnSync('apt-get', ['update', '-qq'], options);
    for (const name of ['chromium-headless-shell', 'chromium'])
      if (!installed(env)) spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], options);
  }
  const packaged = installed(env);
  if (packaged) return packaged;
  throw new PrepareFailure(
    'The browser tests need a Chromium and none could be found or fetched: install chromium, or set CHROMIUM_PATH to one.',
  );
}

function installed(env) {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...places].find(isExecutable);
}

function playwrightDownload(env) {
  const caches = [
    env.PLAYWRIGHT_BROWSERS_PATH,
    join(homedir(), '.cache/ms-playwright'),
    join(homedir(), 'Library/Caches/ms-playwright'),
  ];
  const insides = [
    'chrome-headless-shell-linux64/chrome-headless-shell',
    'chrome-linux/headless_shell',
    'chrome-linux/chrome',
    'chrome-linux64/chrome',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  ];
  return caches
    .filter((cache) => cache && existsSync(cache))
    .flatMap((cache) =>
      readdirSync(cache)
        .filter((name) => /^chromium(_headless_shell)?-\d+$/.test(name))
        .map((name) => join(cache, name)),
    )
    .flatMap((folder) => insides.map((inside) => join(folder, inside)))
    .find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
