// What a release promised, kept so that later changes are compared with it: the graph's contracts and the OpenAPI files, without what nothing is compared by, their descriptions.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ASTNode, parse, print, visit } from 'graphql';
import { parse as parseYaml, stringify } from 'yaml';
import { contractFile } from '../gateway/plan/contract';
import { apiFamilies } from '../rest-facade/checks/openapi';
import { contracts } from '../subgraphs/shared/callers/audience';

/** `npm run schema -- --release`. `root`: of the project. */
export function keepReleased(root: string, version: string): void {
  const schemaFolder = join(root, 'schema');
  const keep = (file: string, about: string, text: string) =>
    writeFileSync(
      join(schemaFolder, 'released', file),
      `# ${about}: what the present one is compared with.\n\n${text}`,
    );
  for (const contract of contracts) {
    const document = parse(readFileSync(join(schemaFolder, contractFile(contract)), 'utf8'));
    const about = `The graph of release ${version} under the contract of ${contract}`;
    keep(`${contract}.graphql`, about, `${print(visit(document, { StringValue: dropDescription }))}\n`);
  }
  for (const family of apiFamilies) {
    const file = readFileSync(join(root, `rest-facade/openapi/${family}.yaml`), 'utf8');
    const about = `The paths of ${family} as of release ${version}`;
    keep(
      `${family}.yaml`,
      about,
      stringify(withoutWords(parseYaml(file)), { lineWidth: 0, aliasDuplicateObjects: false }),
    );
  }
}

function dropDescription(_node: ASTNode, key: string | number | undefined): null | undefined {
  return key === 'description' ? null : undefined;
}

const words: ReadonlySet<string> = new Set(['summary', 'description', 'example', 'examples']);

/** What nothing is compared by is left out; members that are named like words stay: what is called so among `properties` is a schema. */
export function withoutWords(value: unknown, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutWords(each));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => isNamed || !words.has(name));
  return Object.fromEntries(
    members.map(([name, member]) => [name, withoutWords(member, !isNamed && name === 'properties')]),
  );
}
