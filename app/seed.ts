// The sandbox's two tenants and the credentials file: written at each start, values stable as long as the installation's secrets are.
import type { JsonWebKey } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TokenizationIdentifiers } from '../subgraphs/shared/callers/caller';
import { newRsaKey } from '../subgraphs/shared/crypto/rsa-key';
import { sha256 } from '../subgraphs/shared/ids';
import { makeFolder } from './data-files';
import { tenantMerchantId } from './domains';
import type { Platform } from './platform';
import { derived, derivedApiKey, derivedSigningSecret, sandboxAddresses } from './sandbox-secrets';
import { peopleOfSandbox } from './start-sign-in';

export const credentialsFile = 'sandbox-credentials.json';

type PrivateJwk = JsonWebKey & { kty: string; n: string; e: string; kid: string; use: 'enc'; alg: 'RSA-OAEP-256' };

interface TokenizationCredentials extends TokenizationIdentifiers {
  clientId: string;
  clientSecret: string;
  merchantId: string;
  /** Opens what we seal for this caller; only its public half is known to the platform. */
  privateJwk: PrivateJwk;
  /** Verifies our callbacks. */
  notifySecret: string;
}

interface TerminalCredentials {
  /** Value of X-API-KEY. */
  apiKey: string;
  terminalId: string;
}

interface TenantCredentials {
  merchantId: string;
  merchantNumber: number;
  tokenization: TokenizationCredentials;
  /** A client of the payment service. */
  payments: { clientId: string; clientSecret: string };
  /** Hosted checkout: one terminal that captures by itself and one that waits for captures. */
  checkout: {
    implicit: TerminalCredentials;
    explicit: TerminalCredentials;
    /** Verifies merchant notifications. */
    notifySecret: string;
  };
  /** Administration: sent as `Authorization: Bearer Base64(consumerKey:consumerSecret)`. */
  admin: { consumerKey: string; consumerSecret: string };
  /** Onboarding: value of Authorization, and what verifies status webhooks. */
  partner: { secretApiKey: string; webhookSecret: string };
  /** Reporting: values of Authorization; the partner's is the one of onboarding. */
  reporting: { merchantApiKey: string; partnerApiKey: string };
}

export interface SandboxCredentials {
  urls: Record<string, string>;
  sandboxKey: string;
  graph: Record<'admin' | 'viewer' | 'operator', { clientId: string; clientSecret: string }>;
  people: ReturnType<typeof peopleOfSandbox>;
  tenants: Record<string, TenantCredentials>;
}

const tenants = [
  {
    name: 'alpha',
    title: 'Alpha Outfitters',
    merchantNumber: 100001,
    iban: 'IT60X0542811101000000123456',
    bic: 'BPPIITRR',
  },
  { name: 'beta', title: 'Beta Books', merchantNumber: 100002, iban: 'IT33X0542811101000000123457', bic: 'BPPIITRR' },
] as const;

/** Makes or refreshes tenants, clients, keys and the credentials file; safe to repeat. */
export async function seedSandbox(platform: Platform): Promise<void> {
  const { config, access } = platform;
  const path = join(config.DATA_DIR, credentialsFile);
  const before = readCredentials(path);
  const graph = {
    admin: { clientId: 'graph-admin', clientSecret: derived(config, 'graph-admin') },
    viewer: { clientId: 'graph-viewer', clientSecret: derived(config, 'graph-viewer') },
    // The second person of what one alone may not do.
    operator: { clientId: 'graph-operator', clientSecret: derived(config, 'graph-operator') },
  };
  const staff = { family: 'graph' as const, accountId: null, identifiers: [] };
  await access.seedClient({ ...graph.admin, ...staff, scopes: ['graph:read', 'graph:admin'] });
  await access.seedClient({ ...graph.viewer, ...staff, scopes: ['graph:read'] });
  await access.seedClient({ ...graph.operator, ...staff, scopes: ['graph:read', 'graph:operator'] });

  const seeded: Record<string, TenantCredentials> = {};
  for (const tenant of tenants) seeded[tenant.name] = await seedTenant(platform, tenant, before);
  const people = peopleOfSandbox(config);
  const urls = sandboxAddresses(config);
  writeCredentials(path, { urls, sandboxKey: config.SANDBOX_KEY, graph, people, tenants: seeded });
}

async function seedTenant(
  platform: Platform,
  tenant: (typeof tenants)[number],
  before: SandboxCredentials | null,
): Promise<TenantCredentials> {
  const { name, merchantNumber } = tenant;
  const merchantId = tenantMerchantId(name);
  const tokenization = await seedTokenization(platform, { ...tenant, merchantId }, before);
  const payments = {
    clientId: `payments-${name}`,
    clientSecret: derived(platform.config, `payments-${name}`),
  };
  await platform.access.seedClient({
    ...payments,
    family: 'payments',
    accountId: name,
    merchantId,
    identifiers: [],
    scopes: ['payments:write', 'payments:read'],
  });
  const checkout = {
    implicit: await seedTerminal(platform, { name, merchantId, captureType: 'IMPLICIT' }),
    explicit: await seedTerminal(platform, { name, merchantId, captureType: 'EXPLICIT' }),
    notifySecret: derivedSigningSecret(platform.config, `merchant-notification-${name}`),
  };
  await platform.notifications.seedEndpoint({
    accountId: name,
    kind: 'merchant-notification',
    secret: checkout.notifySecret,
  });
  const { iban, bic } = tenant;
  await platform.reporting.seedPayoutAccount({ merchantId, iban, bic });
  const keys = await seedKeys(platform, name, merchantId);
  return { merchantId, merchantNumber, tokenization, payments, checkout, ...keys };
}

/** The keys of the administration interface: two of the account, one of its merchant. */
async function seedKeys(
  { config, access, notifications }: Platform,
  accountId: string,
  merchantId: string,
): Promise<Pick<TenantCredentials, 'admin' | 'partner' | 'reporting'>> {
  const seedKey = async (kind: 'consumer' | 'partner' | 'merchant') => {
    const derivedKey = derivedApiKey(config, `${kind} ${accountId}`, kind);
    const { keyIdTail, secret } = derivedKey;
    const holder =
      kind === 'merchant' ? { holderId: merchantId, merchantId } : { holderId: accountId, merchantId: null };
    await access.apiKeys.seed({ kind, mode: 'live', accountId, ...holder, label: 'sandbox', keyIdTail, secret });
    return derivedKey;
  };
  const consumer = await seedKey('consumer');
  const partner = await seedKey('partner');
  const merchant = await seedKey('merchant');
  const webhookSecret = derivedSigningSecret(config, `onboarding-webhook-${accountId}`);
  await notifications.seedEndpoint({ accountId, kind: 'onboarding-webhook', secret: webhookSecret });
  return {
    admin: { consumerKey: consumer.keyId, consumerSecret: consumer.secret },
    partner: { secretApiKey: partner.apiKey, webhookSecret },
    reporting: { merchantApiKey: merchant.apiKey, partnerApiKey: partner.apiKey },
  };
}

interface SeededTerminal {
  name: string;
  merchantId: string;
  captureType: 'IMPLICIT' | 'EXPLICIT';
}

async function seedTerminal(
  { config, access, merchants }: Platform,
  { name, merchantId, captureType }: SeededTerminal,
): Promise<TerminalCredentials> {
  const which = captureType.toLowerCase();
  const terminalId = `terminal-${name}-${which}`;
  await merchants.seedTerminal({
    accountId: name,
    merchantId,
    terminalId,
    captureType,
    label: `Web shop, ${which} capture`,
    origins: [sandboxAddresses(config).shop],
    methods: ['CARDS', 'PAYPAL', 'MYBANK'],
  });
  const { keyIdTail, secret, apiKey } = derivedApiKey(config, terminalId);
  const holder = { accountId: name, merchantId, holderId: terminalId, label: 'sandbox' };
  await access.apiKeys.seed({ kind: 'checkout', mode: 'live', ...holder, keyIdTail, secret });
  return { apiKey, terminalId };
}

async function seedTokenization(
  { config, access, merchants, notifications }: Platform,
  { name, title, merchantId, merchantNumber }: (typeof tenants)[number] & { merchantId: string },
  before: SandboxCredentials | null,
): Promise<TokenizationCredentials> {
  const identifiers = { acquirerId: `acquirer-${name}`, providerId: `provider-${name}`, pspId: `psp-${name}` };
  const privateJwk = before?.tenants[name]?.tokenization.privateJwk ?? (await newPrivateJwk());
  const tokenization: TokenizationCredentials = {
    clientId: `tokenization-${name}`,
    clientSecret: derived(config, `tokenization-${name}`),
    ...identifiers,
    merchantId,
    privateJwk,
    notifySecret: derivedSigningSecret(config, `notify-${name}`),
  };
  await merchants.seedTenant({ accountId: name, name: title, merchantId, merchantNumber, identifiers });
  await access.seedClient({
    clientId: tokenization.clientId,
    clientSecret: tokenization.clientSecret,
    family: 'tokenization',
    accountId: name,
    scopes: ['mts:token', 'mts:transaction', 'mts:lifecycle'],
    identifiers: [identifiers],
    encryptionKey: publicHalf(privateJwk),
  });
  await notifications.seedEndpoint({ accountId: name, kind: 'notify-update', secret: tokenization.notifySecret });
  return tokenization;
}

async function newPrivateJwk(): Promise<PrivateJwk> {
  const { kty = '', n = '', e = '', ...secret } = (await newRsaKey()).export({ format: 'jwk' });
  return { kty, n, e, ...secret, kid: sha256(n).slice(0, 16), use: 'enc', alg: 'RSA-OAEP-256' };
}

function publicHalf({ kty, n, e, kid, use, alg }: PrivateJwk) {
  return { kty, n, e, kid, use, alg };
}

function readCredentials(path: string): SandboxCredentials | null {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as SandboxCredentials) : null;
}

function writeCredentials(path: string, credentials: SandboxCredentials): void {
  makeFolder(dirname(path));
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  chmodSync(fresh, 0o600);
  renameSync(fresh, path);
}
