// Secrets and addresses of the sandbox's own tenants: derived from the installation's secret, so that they are the same at every start and in every process.
import { createHmac } from 'node:crypto';
import type { Config } from '../subgraphs/shared/config';
import { reachableHost } from './launcher/addresses';

/** 256 bits that only this installation can derive, base64url. */
export function derived({ SANDBOX_SEED }: Pick<Config, 'SANDBOX_SEED'>, purpose: string): string {
  return createHmac('sha256', Buffer.from(SANDBOX_SEED, 'base64'))
    .update(`sandbox credential ${purpose}`)
    .digest('base64url');
}

/** A signing secret in the spelling of Standard Webhooks. */
export function derivedSigningSecret(config: Config, purpose: string): string {
  return `whsec_${Buffer.from(derived(config, purpose), 'base64url').toString('base64')}`;
}

export interface DerivedApiKey {
  /** 24 hexadecimal digits: what makes the key's id unique. */
  keyIdTail: string;
  secret: string;
  /** The visible half: all of a consumer key. */
  keyId: string;
  /** The whole: value of X-API-KEY, or of Authorization for a secret key. */
  apiKey: string;
}

/** A key of the sandbox, by its kind and what it is for: a terminal's id, for instance. */
export function derivedApiKey(
  config: Config,
  purpose: string,
  kind: 'checkout' | 'consumer' | 'partner' | 'merchant' = 'checkout',
): DerivedApiKey {
  const keyIdTail = Buffer.from(derived(config, `key id ${purpose}`), 'base64url')
    .toString('hex')
    .slice(0, 24);
  const secret = derived(config, `key ${purpose}`);
  const keyId = `${kind}_${config.environment}_test_${keyIdTail}`;
  return { keyIdTail, secret, keyId, apiKey: `${keyId}.${secret}` };
}

/** Where this machine reaches each role, as the credentials file tells it. */
export function sandboxAddresses(config: Config) {
  const host = reachableHost(config.HOST);
  const origin = (port: number) => `http://${host}:${port}`;
  return {
    rest: origin(config.REST_PORT),
    auth: origin(config.AUTH_PORT),
    pay: config.PAY_URL,
    shop: origin(config.SHOP_PORT),
    acs: config.ACS_URL,
    graph: `${origin(config.GRAPH_PORT)}/graphql`,
    subscriptions: `ws://${host}:${config.GRAPH_PORT}/graphql`,
    dashboard: `${config.DASHBOARD_ORIGIN}/`,
    metrics: `http://${reachableHost(config.METRICS_HOST)}:${config.METRICS_PORT}/metrics`,
  };
}
