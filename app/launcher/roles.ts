// Which processes an installation has, for both shapes of the program.
import { domainNames } from '../domain-names';

/** Ports of the application by the variable that sets them. */
export interface ApplicationPorts {
  REST_PORT: number;
  AUTH_PORT: number;
  GRAPH_PORT: number;
  PAY_PORT: number;
  SHOP_PORT: number;
  ACS_PORT: number;
}

export interface Role {
  /** Name in processes.json and logs. */
  role: string;
  /** What the process is told to serve. */
  env: Record<string, string>;
  port: number | null;
  /** Roles stop stage by stage, so that nothing loses what it calls: entrances and workers first, then the subgraphs behind them. */
  stopStage: 1 | 2;
}

/** min(cores, 4) unless the operator chose. */
export function decideProcessCount(chosen: number, cores: number): number {
  return chosen > 0 ? chosen : Math.max(1, Math.min(cores, 4));
}

/** MB that a start may leave behind before it is collected for the first time: nearly all of it stays, so looking at it sooner finds nothing. */
const startMb = 64;

/**
 * Many processes keep a smaller young generation (141 instead of 168 MB together when idle) and let the old one grow by half of what lives in it
 * before it is collected, where V8 lets it double and more (docs/benchmark-log.md, The graph at a million); few collect less often under load.
 */
export function decideMemoryFlags(count: number): string[] {
  const small = count > 3 ? ['--max-semi-space-size=2', '--heap-growing-percent=50'] : [];
  return [`--initial-old-space-size=${startMb}`, ...small];
}

/** The default shape: every process serves every role, on the same ports. */
export function embeddedRoles(count: number, ports: ApplicationPorts): Role[] {
  return Array.from({ length: count }, (_, index) => roleOf(`app-${index + 1}`, 'all', ports.REST_PORT, 1));
}

/** The spread-out shape: each role a process of its own, subgraphs over HTTP at fixed loopback ports. */
export function splitRoles(ports: ApplicationPorts, subgraphPorts: Record<string, number>): Role[] {
  const workers = ['outbox', 'callback', 'janitor', 'journal'];
  return [
    ...domainNames.map((name) => {
      const port = subgraphPorts[name] ?? 0;
      const { env, ...rest } = roleOf(`subgraph-${name}`, `subgraph:${name}`, port, 2);
      return { ...rest, env: { ...env, SUBGRAPH_PORT: String(port) } };
    }),
    roleOf('authorization', 'authorization', ports.AUTH_PORT, 1),
    ...twice('rest-facade', 'rest-facade', ports.REST_PORT),
    ...twice('gateway', 'gateway', ports.GRAPH_PORT),
    roleOf('pages', 'pages', ports.PAY_PORT, 1),
    ...workers.flatMap((kind) => twice(`worker-${kind}`, `worker:${kind}`, null)),
  ];
}

/** SUBGRAPH_URLS of the spread-out shape. */
export function subgraphUrls(subgraphPorts: Record<string, number>): string {
  const addresses = domainNames.map((name) => [name, `http://127.0.0.1:${subgraphPorts[name]}/graphql`]);
  return JSON.stringify(Object.fromEntries(addresses));
}

function twice(name: string, roles: string, port: number | null): Role[] {
  return [roleOf(`${name}-1`, roles, port, 1), roleOf(`${name}-2`, roles, port, 1)];
}

function roleOf(role: string, roles: string, port: number | null, stopStage: 1 | 2): Role {
  return { role, port, stopStage, env: { ROLES: roles, ROLE_NAME: role } };
}
