// Variables whose value lies in a file: `NAME_FILE` names it.
import { readFileSync } from 'node:fs';

/** What is set, with the content of a file for each NAME_FILE that names one: keys need not stand in an environment. */
export function readFiles(env: NodeJS.ProcessEnv, variables: object): Record<string, string> {
  const present: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value === '') continue;
    const named = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : '';
    if (!Object.hasOwn(variables, named)) present[name] ??= value;
    else present[named] = readFileSync(value, 'utf8').trim();
  }
  return present;
}
