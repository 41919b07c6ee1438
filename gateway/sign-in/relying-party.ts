// Our side of OpenID Connect, by openid-client: code flow with PKCE, state and nonce; the ID token's signature is checked, and tokens are forgotten at once.
import type { Configuration, IDToken, UserInfoResponse } from 'openid-client';
import { DomainError } from '../../subgraphs/shared/errors';
import { withoutAbsent } from '../../subgraphs/shared/present-members';
import type { Handshake } from './handshake';

export interface RelyingPartyConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  groupsClaim: string;
  /** Ours, where the provider sends people back to. */
  redirectUri: string;
}

export interface ProviderIdentity {
  issuer: string;
  subject: string;
  name: string;
  email: string | null;
  groups: string[];
  /** Seconds since 1970; null when the provider does not tell it. */
  authTime: number | null;
}

export interface RelyingParty {
  /** Where the person goes. Refuses with `unavailable` while the provider does not answer. */
  addressOf(handshake: Handshake, how: { asksAnew: boolean; hint: string | null }): Promise<URL>;
  /** Who came back; throws SignInFailed, or `unavailable`. */
  identityOf(callback: URL, handshake: Handshake): Promise<ProviderIdentity>;
  /** Where a person ends the session at the provider itself; null when it has no such place. Refuses with `unavailable` while it does not answer. */
  signOutAddress(): Promise<string | null>;
  /** What a sign-in is bound to. */
  secrets(): Promise<{ verifier: string; nonce: string }>;
}

/** What came back was no sign-in. The message names the fault and no value of it. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
  constructor(readonly fault: string) {
    super(`the sign-in failed: ${fault}`);
  }
}

/** How long what the provider says of itself is believed; its keys are looked up anew whenever one is unknown. */
const discoveredMsMax = 3_600_000;
const answerSecondsMax = 10;
/** How far the provider's clock may be from ours. */
const skewSecondsMax = 60;

export function createRelyingParty(config: RelyingPartyConfig): RelyingParty {
  const discovered = createDiscovery(config);
  return {
    async addressOf({ state, nonce, verifier }, { asksAnew, hint }) {
      const oidc = await import('openid-client');
      return oidc.buildAuthorizationUrl(await discovered(), {
        redirect_uri: config.redirectUri,
        scope: config.scopes,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...withoutAbsent({ prompt: asksAnew ? 'login' : null, login_hint: hint }),
      });
    },
    async identityOf(callback, { state, nonce, verifier }) {
      const oidc = await import('openid-client');
      const provider = await discovered();
      try {
        const tokens = await oidc.authorizationCodeGrant(provider, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims() as IDToken;
        const own = claimAt(claims, config.groupsClaim);
        const more = own === undefined ? await moreOf(provider, tokens.access_token, claims) : {};
        return identityFrom({ ...more, ...claims }, config.groupsClaim);
      } catch (error) {
        throw faultOf(error);
      }
    },
    async signOutAddress() {
      const provider = await discovered();
      if (!provider.serverMetadata().end_session_endpoint) return null;
      const oidc = await import('openid-client');
      // Whose session it is the browser tells; a way back would have to be registered at the provider, so its own page is the end.
      return oidc.buildEndSessionUrl(provider).href;
    },
    async secrets() {
      const oidc = await import('openid-client');
      return { verifier: oidc.randomPKCECodeVerifier(), nonce: oidc.randomNonce() };
    },
  };
}

/** Asked once an hour; a provider that was away is asked again at the next sign-in. */
function createDiscovery(config: RelyingPartyConfig): () => Promise<Configuration> {
  let known: { at: number; answer: Promise<Configuration> } | undefined;
  return async () => {
    if (!known || performance.now() - known.at > discoveredMsMax)
      known = { at: performance.now(), answer: discover(config) };
    const asked = known;
    return asked.answer.catch((error: unknown) => {
      if (known === asked) known = undefined;
      throw faultOf(error);
    });
  };
}

async function discover({ issuer, clientId, clientSecret }: RelyingPartyConfig): Promise<Configuration> {
  const oidc = await import('openid-client');
  const isOpen = issuer.startsWith('http://');
  const execute = [oidc.enableNonRepudiationChecks, ...(isOpen ? [oidc.allowInsecureRequests] : [])];
  const options = { execute, timeout: answerSecondsMax };
  const found = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), options);
  const server = found.serverMetadata();
  // By RFC 8414 a provider that names no method takes the secret in a header.
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const isByHeader = methods.includes('client_secret_basic');
  const authentication = isByHeader ? oidc.ClientSecretBasic(clientSecret) : oidc.ClientSecretPost(clientSecret);
  const metadata = { client_secret: clientSecret, [oidc.clockTolerance]: skewSecondsMax };
  const provider = new oidc.Configuration(server, clientId, metadata, authentication);
  for (const extend of execute) extend(provider);
  provider.timeout = answerSecondsMax;
  return provider;
}

/** Some providers tell groups only when they are asked for more than the ID token. */
async function moreOf(
  provider: Configuration,
  accessToken: string,
  { sub }: IDToken,
): Promise<Partial<UserInfoResponse>> {
  if (!provider.serverMetadata().userinfo_endpoint) return {};
  const oidc = await import('openid-client');
  return oidc.fetchUserInfo(provider, accessToken, sub);
}

type Claims = Readonly<Record<string, unknown>> & Pick<IDToken, 'iss' | 'sub'>;

function identityFrom(claims: Claims, groupsClaim: string): ProviderIdentity {
  const text = (name: string) => {
    const value = claims[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 200) : null;
  };
  const groups = [claimAt(claims, groupsClaim)].flat().filter((group) => typeof group === 'string');
  const authTime = claims['auth_time'];
  return {
    issuer: claims.iss,
    subject: claims.sub,
    name: text('name') ?? text('preferred_username') ?? text('email') ?? claims.sub.slice(0, 200),
    email: text('email'),
    groups,
    authTime: typeof authTime === 'number' ? authTime : null,
  };
}

/** By its whole name, which may have dots, else step by step. */
function claimAt(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, step) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    return isObject ? (value as Record<string, unknown>)[step] : undefined;
  }, claims);
}

/** The provider away is one thing, a sign-in that is none another; what either says goes no further than its name. */
function faultOf(error: unknown): Error {
  if (error instanceof SignInFailed || error instanceof DomainError) return error;
  const { code, name, error: said } = error as { code?: unknown; name?: unknown; error?: unknown };
  const status = (error as { status?: unknown }).status;
  const isAway =
    (error instanceof TypeError && code === undefined) ||
    code === 'OAUTH_TIMEOUT' ||
    code === 'OAUTH_ABORT' ||
    (typeof status === 'number' && status >= 500);
  if (isAway) return new DomainError('unavailable', 'the identity provider does not answer', { retryAfterSeconds: 5 });
  const words = [said, code, name].find((word) => typeof word === 'string' && /^[\w-]{1,60}$/.test(word));
  return new SignInFailed(String(words ?? 'unknown'));
}
