// Builds the product: each entry point becomes one file in dist/, TypeScript through swc (type-graphql reads decorator metadata), packages bundled in.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPages } from './build-pages.mjs';
import { federatedContracts, isSubgraphContract } from './federate.mjs';
import { buildPageScripts } from './page-scripts.mjs';
import { sourcePlaces } from './source-places.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'dist');

/** Entry points besides the command files of tools/commands, by their name in dist. */
const entries = {
  launcher: 'app/launcher/launcher.ts',
  process: 'app/cached-start.ts',
  application: 'app/process.ts',
  // Threads, beside where their owners look for them: dist mirrors the sources' folders.
  'subgraphs/shared/crypto/jwe-worker': 'subgraphs/shared/crypto/jwe-worker.ts',
  'gateway/planner/planner-worker': 'gateway/planner/planner-worker.ts',
  cli: 'cli/main.ts',
};

/** Folders with sources and with files that are read at run time; dist mirrors their layout for the latter. */
export const sourceFolders = [
  'app',
  'cli',
  'clients',
  'dashboard',
  'docs',
  'gateway',
  'pages',
  'rest-facade',
  'sandbox',
  'schema',
  'subgraphs',
  'tools',
  'workers',
];
/** Not what npm reads: a package that an example names is no part of the program. */
const staticEndings = /(?<!\/package(-lock)?)\.(json|graphql|ya?ml|html|css|svg|md)$/;
const explorerFolder = 'gateway/graphiql';
const dashboardFolder = 'dashboard';
const pageScripts = 'pages/browser';

/** What is built by itself when one of its sources has changed: name, whether a source (relative to the root) is one of its own, and how. */
const parts = {
  program: { isSource: (path) => path.endsWith('.ts') && !isForBrowsers(path), make: () => bundleEntries() },
  files: {
    isSource: (path) => (staticEndings.test(path) || isPicture(path)) && !isForBrowsers(path),
    make: copyStaticFiles,
  },
  contracts: { isSource: isSubgraphContract, make: keepFederatedContracts },
  // They share code with the servers of the pages and with what those may import; making them takes less than knowing which.
  pages: {
    isSource: (path) => path.startsWith(pageScripts) || path.endsWith('.ts'),
    make: () => buildPageScripts(root, out),
  },
  explorer: {
    isSource: (path) => path.startsWith(explorerFolder),
    make: () => buildPages(explorerFolder, { root, out }, './'),
  },
  dashboard: {
    isSource: (path) => path.startsWith(`${dashboardFolder}/`) || path.startsWith('clients/'),
    make: () => buildPages(dashboardFolder, { root, out }, '/'),
  },
};
const isForBrowsers = (path) =>
  [pageScripts, explorerFolder, `${dashboardFolder}/`].some((start) => path.startsWith(start));
/** Tests draw the pictures anew, so their bytes are no reason to build: a build in the middle of them would take the program away from under them. */
const isPicture = (path) => path.endsWith('.png');

/** Of each part a hash over its sources, the locked packages and the files that build. */
export function sourceHashes() {
  const files = sourceFolders.flatMap((folder) => filesBelow(join(root, folder))).map((path) => relative(root, path));
  const always = ['package-lock.json', ...files.filter((path) => /^tools\/[\w-]+\.mjs$/.test(path))];
  const hashOf = ({ isSource }) => {
    const hash = createHash('sha256');
    for (const path of [...always, ...files.filter(isSource)])
      hash
        .update(path)
        .update('\0')
        .update(isPicture(path) ? '' : readFileSync(join(root, path)))
        .update('\0');
    return hash.digest('hex');
  };
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, hashOf(part)]));
}

/** Native add-ons that the MongoDB driver tries and does without. */
const optionalPackages = ['kerberos', '@mongodb-js/zstd', 'snappy', '@aws-sdk/*', 'socks', 'mongodb-client-encryption'];

/** type-graphql loads it where it validates arguments, which it does nowhere here. */
const unusedPackages = ['class-validator'];

/** Native add-ons of ours: loaded from where they are installed, where they are chosen. */
const nativePackages = ['@graphql-hive/router-query-planner'];

const swcOptions = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2023',
  },
  module: { type: 'commonjs', importInterop: 'swc' },
  sourceMaps: 'inline',
};

/** Builds these parts into dist/; throws an Error whose message is one sentence. Files are replaced one by one, so a running program may stay up. */
async function buildParts(names) {
  for (const name of names) await parts[name].make();
}

/** Bundles all entry points, or only the named ones. */
async function bundleEntries(only) {
  const { build: bundle } = await import('esbuild');
  const swc = await import('@swc/core');
  const wanted = Object.entries(entryPoints()).filter(([name]) => !only || only.includes(name));
  const result = await bundle({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(wanted),
    outdir: out,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    // app/cached-start.ts runs code for which there is no dynamic import.
    supported: { 'dynamic-import': false },
    sourcemap: 'linked',
    sourcesContent: false,
    // Every process keeps its source text in memory: without white space and comments it is a third smaller, and pure ASCII halves that again.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    charset: 'ascii',
    // Packages without their development checks, wherever the build runs: graphql looks at every value twice with them.
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
    logLevel: 'silent',
    external: [...optionalPackages, ...unusedPackages, ...nativePackages],
    plugins: [typescript(swc)],
  }).catch((error) => {
    const [first] = error.errors ?? [];
    // The compiler of TypeScript names the place itself, and adds its own stack.
    const [text] = (first?.text ?? error.message).split('\n\nCaused by');
    const place = first?.location && !text.includes(',-[') ? `${first.location.file}:${first.location.line}: ` : '';
    throw new Error(`The build failed: ${place}${text}`);
  });
  for (const file of result.outputFiles) {
    const isCode = file.path.endsWith('.js');
    replaceFile(file.path, isCode ? finished(file) : file.contents);
    if (!isCode) replaceFile(`${file.path.slice(0, -'map'.length)}places`, sourcePlaces(file.text));
  }
}

/** What app/cached-start.ts runs is wrapped as node would wrap it, in the same line, so that places in it stay where they are for the source map. */
function finished({ path, text }) {
  const code = asciiOnly(text);
  return basename(path) === 'application.js' ? Module.wrap(code) : code;
}

function entryPoints() {
  const commands = join(root, 'tools/commands');
  const files = existsSync(commands) ? readdirSync(commands).filter((file) => file.endsWith('.ts')) : [];
  return { ...entries, ...Object.fromEntries(files.map((file) => [basename(file, '.ts'), `tools/commands/${file}`])) };
}

/** `__dirname` keeps meaning the source's folder, mirrored in dist, so that code finds its files in tests and in the bundle alike. */
function typescript(swc) {
  const mirrored = (path) =>
    `const __dirname = require('node:path').join(require('node:path').dirname(__filename), ${JSON.stringify(relative(root, dirname(path)))});\n`;
  return {
    name: 'typescript',
    setup(build) {
      build.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        if (path.includes('/node_modules/')) return undefined;
        const { code } = await swc.transform(readFileSync(path, 'utf8'), { ...swcOptions, filename: path });
        return { contents: /\b__dirname\b/.test(code) ? mirrored(path) + code : code, loader: 'js' };
      });
      // It looks its classes up by their names, which bundling would change.
      build.onLoad({ filter: /\/oidc-provider\/lib\// }, async ({ path }) => {
        const { transform } = await import('esbuild');
        const { code } = await transform(readFileSync(path, 'utf8'), { keepNames: true, sourcefile: path });
        return { contents: code, loader: 'js' };
      });
      build.onLoad({ filter: /node_modules\/swagger-ui-dist\/[^/]+\.js$/ }, ({ path }) => {
        const code = readFileSync(path, 'utf8');
        return { contents: /\b__dirname\b/.test(code) ? mirrored(path) + code : code, loader: 'js' };
      });
    },
  };
}

async function copyStaticFiles() {
  const { parse } = await import('yaml');
  for (const folder of sourceFolders) {
    for (const path of filesBelow(join(root, folder))) {
      if (staticEndings.test(path) && !isForBrowsers(relative(root, path)))
        replaceFile(join(out, relative(root, path)), readFileSync(path));
      // Read at each start, and YAML takes long to parse.
      if (/openapi\/\w+\.yaml$/.test(path))
        replaceFile(
          join(out, relative(root, path)).replace(/yaml$/, 'json'),
          JSON.stringify(parse(readFileSync(path, 'utf8'))),
        );
    }
  }
  copyPictures();
  copyNativePackages();
  const reference = join(root, 'node_modules/swagger-ui-dist');
  for (const file of [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-standalone-preset.js',
    'favicon-32x32.png',
    'LICENSE',
  ]) {
    if (existsSync(join(reference, file))) {
      replaceFile(join(out, 'node_modules/swagger-ui-dist', file), readFileSync(join(reference, file)));
    }
  }
}

function keepFederatedContracts() {
  for (const { name, text } of federatedContracts(root)) replaceFile(join(out, 'schema/federated', name), text);
}

/** Beside the program, which is all that an image has. */
function copyNativePackages() {
  const packages = join(root, 'node_modules');
  for (const name of nativePackages)
    for (const path of readdirSync(join(packages, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)))
      replaceFile(join(out, 'node_modules', relative(packages, path)), readFileSync(path));
}

/** Of all screenshots those that a page of /docs shows. */
function copyPictures() {
  const pages = filesBelow(join(root, 'docs')).filter((path) => path.endsWith('.md'));
  const shown = pages.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/screenshots\/[\w-]+\.png/g)]);
  for (const name of new Set(shown.map(([picture]) => join('docs', picture))))
    if (existsSync(join(root, name))) replaceFile(join(out, name), readFileSync(join(root, name)));
}

/** Every file below a folder, in a stable order. */
export function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((path) => !path.includes('/node_modules/'))
    .sort();
}

/** esbuild leaves regular expressions as they are; one letter beyond Latin-1 makes the engine keep the whole text in two bytes a letter. */
function asciiOnly(text) {
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function replaceFile(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, contents);
  renameSync(fresh, path);
}

// Run by prepare.mjs: with the names of parts, or with --entries and the names of entry points.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  const done = names[0] === '--entries' ? bundleEntries(names.slice(1)) : buildParts(names);
  done.catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
