// Liveness and readiness of a page server, the same two addresses as on every other port.
import type { Readiness } from '../rest-facade/fallback-app';
import type { PageReply, PageRoute } from './page-route';

const fresh = { 'cache-control': 'no-store' };

/** `/healthz` says that the process lives; `/readyz` is 503 while something it needs is down or the server is about to stop. */
export function healthRoutes(readiness: () => Promise<Readiness>): PageRoute[] {
  return [
    probe('/healthz', () => ({ status: 200, headers: fresh, body: { status: 'alive' } })),
    probe('/readyz', async () => {
      const { ready, dependencies } = await readiness();
      return {
        status: ready ? 200 : 503,
        headers: ready ? fresh : { ...fresh, 'retry-after': '1' },
        body: { status: ready ? 'ready' : 'not ready', dependencies },
      };
    }),
  ];
}

function probe(path: string, serve: () => PageReply | Promise<PageReply>): PageRoute {
  return { method: 'GET', pattern: new RegExp(`^${path}$`), name: path, isUnlimited: true, isUncounted: true, serve };
}
