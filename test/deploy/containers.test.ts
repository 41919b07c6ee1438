// The files for container engines name the same processes as the program itself does in its spread-out shape.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { domainNames } from '../../app/domain-names';
import { confidential, confidentialNames } from '../../app/launcher/role-environment';
import { decideMemoryFlags, splitRoles } from '../../app/launcher/roles';
import { databaseGrants, userNameOf } from '../../app/role-database';
import { internalSenderNames, isInternalSender } from '../../gateway/subgraphs/internal-senders';
import { version } from '../../package.json';
import { notificationUrl } from '../../sandbox/shop/orders';
import { callbackUrlRules, judgeCallbackUrl } from '../../subgraphs/notifications';
import { variables } from '../../subgraphs/shared/config';
import { built } from '../support/built';
import { productCollections } from '../tidy/contract';
import { builtManifests, type Manifest } from './kustomize';

interface Container {
  image: string;
  roles: string;
  /** Names of what the container is told beside the settings that all share. */
  told: string[];
}

const root = join(__dirname, '../..');
const ports = { REST_PORT: 1, AUTH_PORT: 2, GRAPH_PORT: 3, PAY_PORT: 4, SHOP_PORT: 5, ACS_PORT: 6 };
const rolesOfProgram = [...new Set(splitRoles(ports, {}).map(({ env }) => env['ROLES']))];
// biome-ignore lint/suspicious/noExplicitAny: YAML
const compose: any = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true });
const serving: Manifest[] = builtManifests(join(root, 'deploy/kubernetes'));
const preparing: Manifest[] = builtManifests(join(root, 'deploy/kubernetes/prepare'));
const kubernetes: Manifest[] = [...serving, ...preparing];
/** What the image and the addresses between containers fix. */
const portNames = [...Object.keys(ports), 'METRICS_PORT', 'SUBGRAPH_PORT'];
const podOf = ({ spec }: Manifest) => spec?.template?.spec;

function composeContainers(): Container[] {
  const services = Object.values(compose.services) as { image: string; environment?: Record<string, string> }[];
  return services.flatMap(({ image, environment }) =>
    environment?.['ROLES'] ? [{ image, roles: environment['ROLES'], told: Object.keys(environment) }] : [],
  );
}

/** Services that run roles, with their environments. */
function composeServices(): [string, Record<string, string>][] {
  const services = Object.entries(compose.services) as [string, { environment?: Record<string, string> }][];
  return services.flatMap(([name, { environment }]) => (environment?.['ROLES'] ? [[name, environment]] : []));
}

/** True for what stands in .env under the same name, or for its default. */
function isTaken(name: string, value = ''): boolean {
  return value.startsWith(`\${${name}:-`);
}

function kubernetesContainers(): Container[] {
  return kubernetes.filter(podOf).map((each) => {
    const [{ image, env, envFrom }] = podOf(each).containers;
    const { value: roles } = env.find(({ name }: { name: string }) => name === 'ROLES');
    return { image, roles, told: envFrom.map((source: Manifest) => sourceName(source, each.metadata.name)) };
  });
}

/** Settings of all and addresses for who calls subgraphs by their name, and one secret, named like the role. */
function sourceName({ secretRef, configMapRef }: Manifest, role: string): string {
  return secretRef ? `secret ${secretRef.name === role ? 'of its own' : secretRef.name}` : configMapRef.name;
}

const subgraphUrls = {
  compose: compose['x-confidential'].SUBGRAPH_URLS,
  kubernetes: kubernetes.find((each) => each?.metadata?.name === 'subgraph-addresses').data.SUBGRAPH_URLS,
};

test('the image starts its process as the launcher starts one', () => {
  const [, command = ''] = /^CMD (.+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
  expect(JSON.parse(command)).toEqual(['node', ...decideMemoryFlags(1), 'dist/process.js']);
});

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
    expect(told.filter((name) => confidentialNames.has(name)).sort()).toEqual([...(confidential[roles] ?? [])].sort());
  });

  it.each(composeServices())('compose: %s takes every other setting of .env', (_service, environment) => {
    const fixed = new Set([...portNames, 'HOST', 'METRICS_HOST', 'DATA_DIR', 'CACHE_DIR', 'PROCESSES', 'AUTH_URL']);
    const settings = Object.keys(variables).filter((name) => !confidentialNames.has(name) && !fixed.has(name));
    const own = new Set(['ROLES', 'ROLE_NAME', 'REST_URL']);
    const taken = (name: string) => (own.has(name) ? name in environment : isTaken(name, environment[name]));
    const formerKeys = Object.keys(environment).filter((name) => name.endsWith('_PREVIOUS'));
    expect([...settings, ...formerKeys].filter((name) => !taken(name))).toEqual([]);
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

test('compose: the address where the demo shop hears of its orders may be called, and every role knows it', () => {
  const told = composeServices().map(([, environment]) => environment['REST_URL'] ?? '');
  const [REST_URL = '', ...others] = [...new Set(told)];
  expect([REST_URL, others]).toEqual([expect.stringMatching(/^http:\/\/rest-facade:\d+$/), []]);
  const rules = callbackUrlRules({ isSandbox: true, REST_URL });
  expect(judgeCallbackUrl(notificationUrl({ restUrl: REST_URL }, 'order-1'), rules).fault).toBeNull();
});

describe('users of the database', () => {
  const told = composeServices().map(([, { ROLES = '', MONGODB_URI = '' }]) => [ROLES, MONGODB_URI] as const);

  it.each(told)('compose: %s has the address of its own user, with a password of its own', (role, address) => {
    const user = userNameOf(role);
    const password = `MONGODB_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`;
    expect(address).toBe(
      `mongodb://${user}:\${${password}:?see the head of docker-compose.yml}@mongodb:27017/payments?\${MONGODB_TOPOLOGY:-replicaSet=rs0}&authSource=payments`,
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

test('kubernetes: what serves waits for the job, which is applied with what it needs', () => {
  const kindsOf = (manifests: Manifest[]) => [...new Set(manifests.map(({ kind }) => kind as string))].sort();
  expect(kindsOf(serving)).not.toContain('Job');
  expect(kindsOf(preparing)).toEqual(['ConfigMap', 'Job', 'NetworkPolicy']);
  // The job's pod is refused nothing that it needs, and finds its settings.
  const shared = (manifests: Manifest[]) =>
    manifests.filter(({ kind }) => ['ConfigMap', 'NetworkPolicy'].includes(kind));
  expect(shared(preparing)).toEqual(shared(serving));
  const sequence = [
    'kubectl delete job prepare --ignore-not-found',
    'kubectl apply -k deploy/kubernetes/prepare',
    'kubectl wait --for=condition=complete --timeout=30m job/prepare',
    'kubectl apply -k deploy/kubernetes',
  ].join(' && ');
  const told = ['deploy/kubernetes/README.md', 'docs/operations.md'].map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  expect(told.map((text) => text.replaceAll(' && \\\n  ', ' && ').includes(sequence))).toEqual([true, true]);
});

describe('kubernetes: every role', () => {
  const named = (kind: string) => kubernetes.filter((each) => each.kind === kind);
  const deployments = named('Deployment').map((each) => [each.metadata.name as string, each] as const);
  const callable: Readonly<Record<string, number>> = {
    'rest-facade': 8080,
    authorization: 8081,
    gateway: 4000,
    pages: 8082,
  };
  const portOf = (name: string) => (name.startsWith('subgraph-') ? 4100 : (callable[name] ?? null));

  it.each(deployments)('%s runs twice, without rights, in bounds, and is probed', (name, { spec }) => {
    const pod = spec.template.spec;
    const [container, ...others] = pod.containers;
    expect(others).toEqual([]);
    expect(spec).toMatchObject({ replicas: 2, strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } });
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 30,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '64Mi' } }],
    });
    expect(container).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      resources: { requests: { cpu: '100m', memory: '192Mi' }, limits: { memory: '512Mi' } },
      startupProbe: { httpGet: { path: '/healthz', port: 'metrics' } },
      livenessProbe: { httpGet: { path: '/healthz', port: 'metrics' } },
      lifecycle: { preStop: { exec: { command: ['sleep', '5'] } } },
      volumeMounts: [{ name: 'scratch', mountPath: '/tmp' }],
    });
    const port = portOf(name);
    const metrics = { name: 'metrics', containerPort: 9464 };
    const ports = port === null ? [metrics] : [metrics, { name: 'http', containerPort: port }];
    expect(container.ports).toEqual(ports);
    const path = name === 'authorization' ? '/healthz' : '/readyz';
    expect(container.readinessProbe).toEqual(
      port === null ? undefined : { httpGet: { path, port: 'http' }, periodSeconds: 2 },
    );
    expect(container.env.map((each: { name: string }) => each.name).sort()).toEqual(['ROLES', 'ROLE_NAME']);
  });

  it('keeps one of two while nodes are emptied, and is reached by its own name', () => {
    const budgets = named('PodDisruptionBudget').map(({ metadata, spec }) => [
      metadata.name,
      spec.minAvailable,
      spec.selector.matchLabels.role,
    ]);
    expect(budgets).toEqual(deployments.map(([name]) => [name, 1, name]));
    const services = named('Service').map(({ metadata, spec }) => [metadata.name, spec.selector.role, spec.ports]);
    const called = deployments.map(([name]) => name).filter((name) => portOf(name) !== null);
    expect(services).toEqual(called.map((name) => [name, name, [{ port: portOf(name), targetPort: portOf(name) }]]));
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
    expect(policy('metrics-from-monitoring')).toEqual({
      podSelector: { matchLabels: { app: 'open-payments-platform' } },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [
            {
              namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } },
              podSelector: { matchLabels: { 'app.kubernetes.io/name': 'prometheus' } },
            },
          ],
          ports: [{ port: 9464 }],
        },
      ],
    });
  });
});
