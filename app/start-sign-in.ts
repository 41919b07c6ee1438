// People's sign-in of a gateway: at the provider of the configuration, or at the one that the sandbox brings; in production without a provider there is none.
import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { createSignIn, type SignIn } from '../gateway/sign-in/sign-in';
import { createIdentity, sandboxPeople } from '../sandbox';
import type { AuditDoor } from '../subgraphs/shared/callers/audit';
import type { Config } from '../subgraphs/shared/config';
import type { Platform } from './platform';

/** Below the graph's origin. */
const identityPath = '/sandbox/identity';

/** Whether people sign in at the provider that the sandbox brings. */
function isBuiltIn({ isSandbox, OIDC_ISSUER }: Pick<Config, 'isSandbox' | 'OIDC_ISSUER'>): boolean {
  return isSandbox && OIDC_ISSUER === '';
}

export function openSignIn(
  platform: Platform,
  audit: AuditDoor,
): { signIn?: SignIn; mounted?: ReturnType<typeof createIdentity> } {
  const { access, clock, config, limiter, log } = platform;
  const { DASHBOARD_ORIGIN: origin, CURSOR_KEY: sealingKey } = config;
  if (!config.isSandbox && config.OIDC_ISSUER === '') return {};
  const common = { origin, sealingKey, sessions: access.sessions, clock, limiter, audit, log };
  if (!isBuiltIn(config)) {
    const provider = {
      issuer: config.OIDC_ISSUER,
      clientId: config.OIDC_CLIENT_ID,
      clientSecret: config.OIDC_CLIENT_SECRET,
      scopes: config.OIDC_SCOPES,
      groupsClaim: config.OIDC_GROUPS_CLAIM,
    };
    return { signIn: createSignIn({ ...common, provider, isBuiltIn: false }) };
  }
  const client = { clientId: 'dashboard', clientSecret: derived(config, 'client').toString('base64url') };
  const issuer = `${origin}${identityPath}`;
  const provider = { ...client, issuer, scopes: 'openid profile email groups', groupsClaim: 'groups' };
  return {
    signIn: createSignIn({
      ...common,
      provider,
      isBuiltIn: true,
      people: sandboxPeople.map(({ key, name, role }) => ({ as: key, name, role })),
    }),
    mounted: createIdentity({
      origin,
      path: identityPath,
      client,
      keys: { signing: derived(config, 'signing'), cookies: derived(config, 'cookies').toString('base64url') },
      redis: platform.redis,
      log,
      root: join(__dirname, '..'),
    }),
  };
}

/** 32 bytes that only processes of the graph can derive. */
function derived({ CURSOR_KEY }: Pick<Config, 'CURSOR_KEY'>, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(CURSOR_KEY, 'base64'), '', `sandbox identity ${purpose}`, 32));
}

/** `people` of the credentials file; nobody where they sign in at a provider of your own. */
export function peopleOfSandbox(config: Config) {
  if (!isBuiltIn(config)) return [];
  return sandboxPeople.map(({ key, name, email, role, tenant }) => ({
    name,
    email,
    role,
    tenant,
    signIn: `${config.DASHBOARD_ORIGIN}/sign-in?as=${key}&to=/`,
  }));
}
