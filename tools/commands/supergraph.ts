// `npm run -s supergraph`: the supergraph with the addresses of an installation's subgraphs, for a gateway that is not ours.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'graphql';
import { readJsonFile } from '../../app/data-files';
import { domainNames } from '../../app/domain-names';
import { failureSentence, StartFailure } from '../../app/failure';
import { supergraphFor } from '../../gateway/contracts/contract-schemas';
import { contracts } from '../../subgraphs/shared/callers/audience';
import { readConfig } from '../../subgraphs/shared/config';

const { values } = parseArgs({ options: { contract: { type: 'string', default: 'staff' } } });

function addresses(): Record<string, string> {
  const { SUBGRAPH_URLS, DATA_DIR } = readConfig(process.env);
  if (Object.keys(SUBGRAPH_URLS).length > 0) return SUBGRAPH_URLS;
  const running = (readJsonFile(join(resolve(DATA_DIR), 'processes.json')) ?? []) as { role: string; port: number }[];
  const found = domainNames.flatMap((name) =>
    running.flatMap(({ role, port }) =>
      role === `subgraph-${name}` ? [[name, `http://127.0.0.1:${port}/graphql`]] : [],
    ),
  );
  return Object.fromEntries(found);
}

function print(): string {
  const contract = contracts.find((name) => name === values.contract);
  if (!contract) throw new StartFailure(`There is no contract ${values.contract}: ${contracts.join(' or ')}.`);
  const urls = addresses();
  const missing = domainNames.filter((name) => !urls[name]);
  if (missing.length > 0)
    throw new StartFailure(
      `Nobody says where ${missing.join(', ')} is: set SUBGRAPH_URLS, or run this beside npm run start:split.`,
    );
  const parts = domainNames.map((name) => ({
    name,
    typeDefs: parse(readFileSync(join(process.cwd(), 'schema', `${name}.graphql`), 'utf8')),
  }));
  return supergraphFor(parts, contract, urls);
}

try {
  process.stdout.write(`${print()}\n`);
} catch (error) {
  process.stderr.write(`${failureSentence(error, 'DATA_DIR/logs')}\n`);
  process.exitCode = 1;
}
