// The files for container engines name the same processes as the program itself does in its spread-out shape.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { domainNames } from '../../app/domain-names';
import { confidential, confidentialNames } from '../../app/launcher/role-environment';
import { splitRoles } from '../../app/launcher/roles';
import { databaseGrants, userNameOf } from '../../app/role-database';
import { internalSenderNames, isInternalSender } from '../../gateway/subgraphs/internal-senders';
import { version } from '../../package.json';
import { built } from '../support/built';
import { productCollections } from '../tidy/contract';

interface Container {
  image: string;
  roles: string;
  /** Names of what the container is told beside the settings that all share. */
  told: string[];
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
    environment?.['ROLES'] ? [{ image, roles: environment['ROLES'], told: Object.keys(environment) }] : [],
  );
}

function kubernetesContainers(): Container[] {
  const pods = kubernetes.flatMap((each) => each?.spec?.template?.spec?.containers ?? []);
  return pods.map(({ name, image, env, envFrom }) => ({
    image,
    roles: env.find((each: { name: string }) => each.name === 'ROLES').value,
    // Sources by name: the settings of all, addresses for who calls subgraphs, and one secret, named like the role.
    told: envFrom.map((each: { configMapRef?: { name: string }; secretRef?: { name: string } }) =>
      each.secretRef
        ? `secret ${each.secretRef.name === name ? 'of its own' : each.secretRef.name}`
        : each.configMapRef?.name,
    ),
  }));
}

const subgraphUrls = {
  compose: compose['x-confidential'].SUBGRAPH_URLS,
  kubernetes: kubernetes.find((each) => each?.metadata?.name === 'subgraph-addresses').data.SUBGRAPH_URLS,
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
    const expected = domainNames.map((name) => [name, `http://subgraph-${name}:4100/graphql`]);
    expect(JSON.parse(subgraphUrls[kind])).toEqual(Object.fromEntries(expected));
  });
});

describe('what a process is told', () => {
  it.each(composeContainers().map(({ roles, told }) => [roles, told] as const))('compose: %s', (roles, told) => {
    const wanted = (confidential[roles] ?? []).filter((name) => !name.endsWith('_PREVIOUS'));
    expect(told.filter((name) => confidentialNames.has(name)).sort()).toEqual([...wanted].sort());
  });

  it.each(kubernetesContainers().map(({ roles, told }) => [roles, told] as const))('kubernetes: %s', (roles, told) => {
    const calls = isInternalSender(roles) ? ['subgraph-addresses'] : [];
    expect(told).toEqual(['open-payments-platform', ...calls, 'secret of its own']);
  });

  it('only roles of card data have its key, and only entrances sign', () => {
    const having = (name: string) => Object.keys(confidential).filter((role) => confidential[role]?.includes(name));
    expect(having('VAULT_KEY_CARDS')).toEqual(['all', 'prepare', 'subgraph:tokenization', 'subgraph:payments']);
    expect(having('INTERNAL_PRIVATE_KEY').sort()).toEqual([...internalSenderNames].sort());
  });
});

describe('users of the database', () => {
  const services = Object.values(compose.services) as { environment?: Record<string, string> }[];
  const told = services.flatMap(({ environment = {} }) =>
    environment['ROLES'] ? [[environment['ROLES'], environment['MONGODB_URI'] ?? ''] as const] : [],
  );

  it.each(told)('compose: %s has the address of its own user, with a password of its own', (role, address) => {
    const user = userNameOf(role);
    const password = `MONGODB_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`;
    expect(address).toBe(
      `mongodb://${user}:\${${password}:?see the head of docker-compose.yml}@mongodb:27017/payments?replicaSet=rs0&authSource=payments`,
    );
    expect(databaseGrants).toHaveProperty([role]);
  });

  it('compose: MongoDB asks for passwords, its users are made first, and who makes them alone knows root', () => {
    const { mongodb, 'database-users': users, prepare } = compose.services;
    expect(mongodb.command).toEqual(expect.arrayContaining(['--auth', '--keyFile']));
    expect(users.command).toEqual(['node', 'dist/database.js', 'users']);
    expect(prepare.depends_on['database-users']).toEqual({ condition: 'service_completed_successfully' });
    const knowing = Object.entries(compose.services).filter(([, each]) =>
      JSON.stringify(each).includes('ROOT_PASSWORD'),
    );
    expect(knowing.map(([name]) => name)).toEqual(['mongodb', 'database-users']);
  });

  it('every collection is in some row, and every role of the program has one', () => {
    const granted = new Set(Object.values(databaseGrants).flatMap((grants) => Object.keys(grants)));
    expect(productCollections().names.filter((name) => !granted.has(name))).toEqual([]);
    expect(rolesOfProgram.filter((role = '') => !databaseGrants[role])).toEqual([]);
  });

  it('keys:make prints what compose asks for', () => {
    const made = spawnSync(process.execPath, [built('new-keys.js')], { encoding: 'utf8' }).stdout;
    const names = new Set(made.split('\n').map((line) => line.slice(0, line.indexOf('='))));
    const asked = [...readFileSync(join(root, 'docker-compose.yml'), 'utf8').matchAll(/\$\{(\w+):\?/g)];
    expect(asked.map(([, name = '']) => name).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('who reaches whom', () => {
  const networksOf = (name: string): string[] => compose.services[name].networks;
  const services = Object.keys(compose.services);
  // biome-ignore lint/suspicious/noExplicitAny: YAML
  const policy = (name: string): any =>
    kubernetes.find((each) => each?.kind === 'NetworkPolicy' && each.metadata.name === name)?.spec;
  const rolesIn = ({ matchExpressions: [{ values }] }: { matchExpressions: [{ values: string[] }] }) => values;

  it('compose: the databases lie where nothing leads out, and subgraphs where entrances call them', () => {
    expect([compose.networks.stores.internal, compose.networks.calls.internal]).toEqual([true, true]);
    expect(services.filter((name) => networksOf(name).includes('calls')).sort()).toEqual(
      [...internalSenderNames, ...domainNames.map((name) => `subgraph-${name}`)].sort(),
    );
    const out = ['authorization', 'gateway', 'pages', 'rest-facade', 'worker-callback', 'worker-janitor'];
    expect(services.filter((name) => networksOf(name).includes('outside')).sort()).toEqual(out);
  });

  it('kubernetes: nobody by default, then each direction of each call', () => {
    expect(policy('nobody-by-default')).toMatchObject({ policyTypes: ['Ingress', 'Egress'], ingress: [], egress: [] });
    const { ingress } = policy('subgraphs-from-entrances');
    expect(rolesIn(ingress[0].from[0].podSelector).sort()).toEqual([...internalSenderNames].sort());
    const { podSelector, egress } = policy('entrances-to-subgraphs');
    expect(rolesIn(podSelector).sort()).toEqual([...internalSenderNames].sort());
    expect(egress).toEqual([
      {
        to: [{ podSelector: { matchLabels: { app: 'open-payments-platform', tier: 'subgraph' } } }],
        ports: [{ port: 4100 }],
      },
    ]);
    expect(rolesIn(policy('callbacks-to-outside').podSelector)).toEqual(['worker-callback']);
  });
});
