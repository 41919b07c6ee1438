// `npm run advisories -- <folder>`: holds the locked packages against published advisories without a network. The folder has records in the OSV
// format (https://ossf.github.io/osv-schema/), one JSON file each at any depth, such as a clone of GitHub's advisory database or OSV's export for npm.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import semver from 'semver';

const root = resolve(import.meta.dirname, '..');

/** Name, version and whether the product itself needs it, of every package of a parsed package-lock.json. */
export function lockedPackages(lock) {
  return Object.entries(lock.packages)
    .filter(([path, { link }]) => path !== '' && !link)
    .map(([path, { version, name, dev, devOptional }]) => ({
      name: name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      isShipped: !dev && !devOptional,
    }));
}

/** The packages that a record is about, each with the record's id and summary; withdrawn records are about none. */
export function affectedBy(record, packages) {
  if (record.withdrawn) return [];
  const told = { id: record.id, summary: record.summary ?? '' };
  return packages
    .filter((each) => record.affected?.some((about) => isAffected(about, each)))
    .map((each) => ({ ...each, ...told }));
}

function isAffected({ package: about, versions = [], ranges = [] }, { name, version }) {
  if (about?.ecosystem !== 'npm' || about.name !== name) return false;
  return (
    versions.includes(version) || ranges.some(({ type, events }) => type === 'SEMVER' && isInRange(events, version))
  );
}

/** OSV's evaluation: the last event at or below the version decides; `last_affected` ends behind its version. */
function isInRange(events, version) {
  let isInside = false;
  for (const { introduced, fixed, last_affected } of events) {
    if (introduced !== undefined && (introduced === '0' || semver.gte(version, introduced))) isInside = true;
    if (fixed !== undefined && semver.gte(version, fixed)) isInside = false;
    if (last_affected !== undefined && semver.gt(version, last_affected)) isInside = false;
  }
  return isInside;
}

function* recordsBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* recordsBelow(path);
    else if (entry.name.endsWith('.json')) yield JSON.parse(readFileSync(path, 'utf8'));
  }
}

/** @param {string[]} given */
function main([folder]) {
  if (!folder) return fail('Name a folder with advisories in the OSV format: npm run advisories -- <folder>');
  const packages = lockedPackages(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  let read = 0;
  const found = [];
  try {
    for (const record of recordsBelow(folder)) {
      read += 1;
      found.push(...affectedBy(record, packages));
    }
  } catch (error) {
    return fail(`${folder} cannot be read: ${error.message}`);
  }
  if (read === 0) return fail(`${folder} has no advisory in it.`);
  for (const { name, version, isShipped, id, summary } of found)
    console.log(`${isShipped ? 'shipped' : 'development'}  ${name} ${version}  ${id}  ${summary}`);
  console.log(`${packages.length} packages, ${read} advisories, ${found.length} found`);
  process.exitCode = found.some(({ isShipped }) => isShipped) ? 1 : 0;
}

function fail(sentence) {
  console.error(sentence);
  process.exitCode = 2;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
