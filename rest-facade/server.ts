// The REST server: the table's routes straight on node:http, everything else (reference, health, 404, 405) carried by express behind them.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createBoundedServer } from '../subgraphs/shared/http/bounded-server';
import type { ConfiguredEnumerations } from './checks/configured-enumerations';
import { type ApiFamily, apiFamilies, compileChecks, createCompiler, readApiFile } from './checks/openapi';
import { createFallbackApp, type Readiness } from './fallback-app';
import { createMatcher } from './matcher';
import { createRouteHandler, type RouteDeps, type RouteHandler } from './route';
import type { Route } from './route-record';
import { administrationRoutes } from './routes/administration';
import { checkoutRoutes } from './routes/checkout';
import { partnerRoutes } from './routes/partner';
import { paymentRoutes } from './routes/payments';
import { reportingRoutes } from './routes/reporting';
import { type SandboxServices, sandboxRoutes } from './routes/sandbox';
import { tokenizationRoutes } from './routes/tokenization';

export interface RestDeps extends RouteDeps {
  readiness(): Promise<Readiness>;
  /** Stops the server so that no request fails. */
  drain(server: Server): Promise<void>;
  /** Required in the sandbox, unused in production. */
  sandbox?: SandboxServices;
  /** The project's folder: the OpenAPI files, the decision register and the files of the reference page are read from there, once. */
  root: string;
  /** Words of the contract that the installation chose; absent, the files hold as written. */
  configuredWords?: ConfiguredEnumerations;
}

export interface RestServer {
  server: Server;
  /** Readiness off first, then as `drain` does. */
  stop(): Promise<void>;
}

/** Builds the server; the caller listens. Throws when a route is missing in the OpenAPI files. */
export function createRestServer(deps: RestDeps): RestServer {
  const files = apiFamilies
    .filter((family) => family !== 'sandbox' || deps.config.isSandbox)
    .map((family) => readApiFile(deps.root, family, deps.configuredWords));
  const matcher = createMatcher(compileRoutes(routesOf(deps), files, deps));
  let isStopping = false;
  const readiness = async () => {
    const found = await deps.readiness();
    return isStopping ? { ...found, ready: false } : found;
  };
  const carry = createFallbackApp({ ...deps, files, readiness });

  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const path = pathOf(request.url ?? '/');
    const match = matcher.match(request.method ?? '', path);
    if (match.kind === 'found') void match.entry.handle(request, response, { path, params: match.params });
    else carry(request, response, match.kind === 'wrongMethod' ? match.allow : null);
  };
  const server = createBoundedServer({ request: serve, checkContinue: serve });
  return {
    server,
    stop: () => {
      isStopping = true;
      return deps.drain(server);
    },
  };
}

/** The routes of each documented family; openapi/<family>.yaml describes them. */
export const documentedRoutes: Readonly<Record<Exclude<ApiFamily, 'sandbox'>, readonly Route[]>> = {
  tokenization: tokenizationRoutes,
  payments: paymentRoutes,
  checkout: checkoutRoutes,
  administration: administrationRoutes,
  reporting: reportingRoutes,
  partner: partnerRoutes,
};

function routesOf({ config, sandbox }: RestDeps): readonly Route[] {
  const documented = Object.values(documentedRoutes).flat();
  if (!config.isSandbox) return documented;
  if (!sandbox) throw new Error('the sandbox services are missing');
  return [...documented, ...sandboxRoutes(sandbox)];
}

interface RouteEntry {
  method: string;
  path: string;
  handle: RouteHandler;
}

function compileRoutes(
  routes: readonly Route[],
  files: ReturnType<typeof readApiFile>[],
  deps: RouteDeps,
): RouteEntry[] {
  const ajv = createCompiler();
  return routes.map((route) => {
    const file = files.find(({ family }) => family === route.family);
    if (!file) throw new Error(`there is no OpenAPI file for ${route.family}`);
    return {
      method: route.method,
      path: route.path,
      handle: createRouteHandler(route, compileChecks(ajv, file, route), deps),
    };
  });
}

/** The raw path of a request target in origin or absolute form. */
function pathOf(target: string): string {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = local.search(/[?#]/);
  return end === -1 ? local : local.slice(0, end);
}
