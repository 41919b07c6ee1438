// The files for container engines name the same processes as the program itself does in its spread-out shape.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { domains, splitRoles } from '../../deploy/roles';
import { version } from '../../package.json';

interface Container {
  image: string;
  roles: string;
}

const root = join(__dirname, '../..');
const manifests = join(root, 'deploy/kubernetes');
const ports = { REST_PORT: 1, AUTH_PORT: 2, GRAPH_PORT: 3, PAY_PORT: 4, SHOP_PORT: 5, ACS_PORT: 6 };
const rolesOfProgram = [...new Set(splitRoles(ports, {}).map(({ env }) => env['ROLES']))];
// biome-ignore lint/suspicious/noExplicitAny: YAML
const compose: any = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true });
// biome-ignore lint/suspicious/noExplicitAny: YAML
const kubernetes: any[] = readdirSync(manifests)
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => parseAllDocuments(readFileSync(join(manifests, name), 'utf8')).map((each) => each.toJS()));

function composeContainers(): Container[] {
  const services = Object.values(compose.services) as { image: string; environment?: Record<string, string> }[];
  return services.flatMap(({ image, environment }) =>
    environment ? [{ image, roles: environment['ROLES'] ?? '' }] : [],
  );
}

function kubernetesContainers(): Container[] {
  const pods = kubernetes.flatMap((each) => each?.spec?.template?.spec?.containers ?? []);
  return pods.map(({ image, env }) => ({
    image,
    roles: env.find(({ name }: { name: string }) => name === 'ROLES').value,
  }));
}

const subgraphUrls = {
  compose: compose['x-environment'].SUBGRAPH_URLS,
  kubernetes: kubernetes.find((each) => each?.kind === 'ConfigMap').data.SUBGRAPH_URLS,
};

describe.each([
  ['compose', composeContainers(), 'local'],
  ['kubernetes', kubernetesContainers(), version],
] as const)('%s', (kind, containers, tag) => {
  it('has a process for each role, and one that prepares the databases', () => {
    expect(containers.map(({ roles }) => roles).sort()).toEqual(['prepare', ...rolesOfProgram].sort());
  });

  it('runs one image for all of them', () => {
    expect([...new Set(containers.map(({ image }) => image.replace(/\$\{VERSION:-(\w+)\}/, '$1')))]).toEqual([
      `open-payments-platform:${tag}`,
    ]);
  });

  it('tells each process where every subgraph is', () => {
    const expected = domains.map((name) => [name, `http://subgraph-${name}:4100/graphql`]);
    expect(JSON.parse(subgraphUrls[kind])).toEqual(Object.fromEntries(expected));
  });
});
