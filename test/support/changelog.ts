// The changelog as gates read it: what is not released yet, and what was last.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const readChangelog = () => readFileSync(join(__dirname, '../../CHANGELOG.md'), 'utf8');

/** What the lines about what is not released yet name in backticks. */
export function unreleasedNames(changelog = readChangelog()): ReadonlySet<string> {
  const section = changelog.split(/^## /m).find((part) => part.startsWith('Unreleased')) ?? '';
  return namesIn(section);
}

export function namesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string));
}

export function lastRelease(): string {
  return /^## (\d+\.\d+\.\d+)/m.exec(readChangelog())?.[1] ?? '';
}
