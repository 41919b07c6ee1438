// The role `pages`: the payment pages for payers, and in the sandbox the demo shop and the simulated issuer, each on a port of its own.
import { join } from 'node:path';
import { createPagesServer, type PageDeps, type PageServer } from '../pages';
import { createAcsServer, createShopServer } from '../sandbox';
import { createAddressOf } from '../subgraphs/shared/callers/caller-address';
import type { Config } from '../subgraphs/shared/config';
import { refusalOf } from '../subgraphs/shared/log/faults';
import { drainHttpServer } from './drain';
import { listen } from './listen';
import type { Platform } from './platform';
import { derived, derivedApiKey, sandboxAddresses } from './sandbox-secrets';

/** The tenant whose shop the demo shop is. */
const shopTenant = 'alpha';

/** Listens on the ports of the configuration; `stop` drains them all. */
export async function startPages(
  platform: Platform,
  handedIn: Pick<PageDeps, 'execute' | 'readiness'>,
): Promise<{ stop(): Promise<void> }> {
  const { config } = platform;
  const deps = pageDeps(platform, handedIn);
  const opened: PageServer[] = [];
  const open = async (page: PageServer, port: number) => {
    await listen(page.server, port, config.HOST);
    opened.push(page);
  };
  await open(createPagesServer(deps), config.PAY_PORT);
  if (config.isSandbox) {
    await open(createShopServer({ ...deps, merchant: () => shopMerchant(config) }), config.SHOP_PORT);
    await open(createAcsServer(deps), config.ACS_PORT);
  }
  return { stop: async () => void (await Promise.all(opened.map((page) => page.stop()))) };
}

function pageDeps(
  { clock, config, limiter, log, metrics }: Platform,
  handedIn: Pick<PageDeps, 'execute' | 'readiness'>,
): PageDeps {
  return {
    ...handedIn,
    clock,
    config,
    limiter,
    addressOf: createAddressOf(config.TRUSTED_PROXIES),
    log,
    metrics,
    refusalOf,
    drain: drainHttpServer,
    root: join(__dirname, '..'),
  };
}

/** What the shop's own server knows of the platform: its credentials are the tenant's, so that it is a client like any other. */
function shopMerchant(config: Config) {
  const { rest, auth, pay, shop } = sandboxAddresses(config);
  return {
    restUrl: config.REST_URL || rest,
    authUrl: config.AUTH_URL || auth,
    payUrl: pay,
    shopUrl: shop,
    implicitApiKey: derivedApiKey(config, `terminal-${shopTenant}-implicit`).apiKey,
    explicitApiKey: derivedApiKey(config, `terminal-${shopTenant}-explicit`).apiKey,
    payments: { clientId: `payments-${shopTenant}`, clientSecret: derived(config, `payments-${shopTenant}`) },
    sandboxKey: config.SANDBOX_KEY,
  };
}
