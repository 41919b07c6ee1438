// Where tests read the OpenAPI files: in the build, as JSON, while that was made of these very files; parsing YAML costs every test file a second or two.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiFamilies } from '../../rest-facade/checks/openapi';

const source = join(__dirname, '..', '..');
const build = join(source, 'dist');

/** A folder to hand to `readApiFile`. */
export const contractRoot = apiFamilies.every(isBuilt) ? build : source;

function isBuilt(family: string): boolean {
  const file = join('rest-facade', 'openapi', `${family}.yaml`);
  const copy = join(build, file);
  return existsSync(copy) && readFileSync(copy).equals(readFileSync(join(source, file)));
}
