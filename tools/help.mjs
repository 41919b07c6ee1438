// `npm run help`: what each script of package.json does, from the table of CONTRIBUTING.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const [, section = ''] = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('\n## Scripts\n');
for (const [, name = '', about = ''] of section.matchAll(/^\| `([\w:-]+)` \| (.+) \|$/gm))
  console.log(`${name.padEnd(18)} ${about.replaceAll('`', '')}`);
