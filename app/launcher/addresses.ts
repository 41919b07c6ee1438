// What a start prints: the addresses, three examples to paste, and nothing that a person does not need.
import type { ApplicationPorts } from './roles';

interface ShownCredentials {
  sandboxKey?: string;
  graph?: { admin: { clientId: string; clientSecret: string } };
  tenants?: Record<string, { merchantId?: string; tokenization?: { clientId: string; clientSecret: string } }>;
}

/** The name under which this machine reaches a program that listens on `host`. */
export function reachableHost(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

/** The table of addresses, one role a line. */
export function addressTable(
  { host: listenHost, metricsHost }: { host: string; metricsHost: string },
  ports: ApplicationPorts & { METRICS_PORT: number },
  { isSandbox, dashboard }: { isSandbox: boolean; dashboard: string | null },
): string {
  const host = reachableHost(listenHost);
  const at = (port: number, path = '') => `http://${host}:${port}${path}`;
  const rows = [
    ['REST', at(ports.REST_PORT), `documented paths, /docs, /.well-known/jwks.json${isSandbox ? ', /sandbox' : ''}`],
    ['Authorization', at(ports.AUTH_PORT), 'POST /token, POST /revoke'],
    [
      'Pages',
      at(ports.PAY_PORT),
      `hosted payment page, card fields, sdk.js, signing page${isSandbox ? '; /mails' : ''}`,
    ],
    ...(isSandbox
      ? [
          ['Shop', at(ports.SHOP_PORT), 'a demo shop to pay in'],
          ['Issuer', at(ports.ACS_PORT), '3DS challenges and alternative methods, simulated'],
        ]
      : []),
    ['Graph', at(ports.GRAPH_PORT, '/graphql'), `HTTP and WebSocket (ws://${host}:${ports.GRAPH_PORT}/graphql)`],
    ...(dashboard ? [['Dashboard', dashboard, 'for people; sign in there']] : []),
    ['Metrics', `http://${reachableHost(metricsHost)}:${ports.METRICS_PORT}/metrics`, 'Prometheus text'],
  ];
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows
    .map(([name = '', address = '', what = '']) => `  ${name.padEnd(width(0))}  ${address.padEnd(width(1))}  ${what}`)
    .join('\n');
}

/** Three commands that work as they stand; empty where there are no seeded credentials (production). */
export function exampleAddresses(
  listenHost: string,
  ports: ApplicationPorts,
  credentials: ShownCredentials | undefined,
): string {
  const host = reachableHost(listenHost);
  const client = credentials?.tenants?.['alpha']?.tokenization;
  const admin = credentials?.graph?.admin;
  if (!client || !admin) return '';
  const token = (who: { clientId: string; clientSecret: string }) =>
    `curl -s -u '${who.clientId}:${who.clientSecret}' -d grant_type=client_credentials http://${host}:${ports.AUTH_PORT}/token`;
  const merchantId = credentials?.tenants?.['alpha']?.merchantId ?? '';
  const query = `{"query":"{ merchant(merchantId: \\"${merchantId}\\") { name status } }"}`;
  const bearer = `"Authorization: Bearer $(${token(admin)} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')"`;
  return [
    '  # an access token for the card tokenization calls of tenant alpha',
    `  ${token(client)}`,
    '  # the keys to encrypt cards to, and the test cards',
    `  curl -s http://${host}:${ports.REST_PORT}/.well-known/jwks.json; curl -s -H 'X-Sandbox-Key: ${credentials?.sandboxKey ?? ''}' http://${host}:${ports.REST_PORT}/sandbox/cards`,
    '  # the graph, as internal staff',
    `  curl -s http://${host}:${ports.GRAPH_PORT}/graphql -H 'content-type: application/json' -H ${bearer} -d '${query}'`,
  ].join('\n');
}
