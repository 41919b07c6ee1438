// The sandbox's identity provider: OpenID Connect by oidc-provider below one path of the graph's origin, where five people sign in by a click.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Configuration, Provider } from 'oidc-provider';
import { type Asset, readAsset } from '../../pages/assets';
import type { Markup } from '../../pages/html';
import { document } from '../../pages/layout';
import { readForm } from '../../pages/posted-form';
import { commonHeaders, pageHeaders } from '../../pages/security-headers';
import { textsOf } from '../../pages/strings';
import { readBody } from '../../subgraphs/shared/http/request-body';
import type { Log } from '../../subgraphs/shared/log/log';
import { chooserFoot, chooserTitle, chooserView, lostView } from './chooser-view';
import { sandboxPeople } from './people';
import { redisAdapter } from './redis-adapter';
import { type IdentityKeys, identitySigningKey } from './signing-key';

export interface IdentityDeps {
  /** Where people reach the graph; the provider is below it. */
  origin: string;
  path: string;
  client: { clientId: string; clientSecret: string };
  keys: IdentityKeys;
  redis: Parameters<typeof redisAdapter>[0];
  log: Log;
  /** Folder in which `pages` has the style sheets. */
  root: string;
}

export interface IdentityProvider {
  path: string;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

const formBytesMax = 4_096;
const sessionCookie = 'sandbox-identity';

export function createIdentity(deps: IdentityDeps): IdentityProvider {
  let provider: Promise<Provider> | undefined;
  const styles = ['pay.css', 'acs.css', 'identity.css'].map((file) => {
    const asset = readAsset(deps.root, file);
    return { ...asset, path: `${deps.path}${asset.path}` };
  });
  return {
    path: deps.path,
    handle(request, response) {
      const asset = styles.find(({ path }) => path === request.url);
      if (asset) return sendAsset(response, asset);
      provider ??= openProvider(deps);
      provider
        .then((opened) => serve(deps, { provider: opened, styles, request, response }))
        .catch((error: unknown) => {
          deps.log.error({ error, code: 'internal' }, 'the identity provider of the sandbox failed');
          if (!response.headersSent) response.writeHead(500).end();
        });
    },
  };
}

async function openProvider({ origin, path, client, keys, redis, log }: IdentityDeps): Promise<Provider> {
  const { Provider } = await import('oidc-provider');
  const configuration: Configuration = {
    adapter: redisAdapter(redis),
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [`${origin}/sign-in/callback`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        id_token_signed_response_alg: 'ES256',
        require_auth_time: true,
      },
    ],
    jwks: { keys: [identitySigningKey(keys.signing)] },
    cookies: {
      keys: [keys.cookies],
      names: { session: sessionCookie, interaction: 'sandbox-identity-asked', resume: 'sandbox-identity-resume' },
    },
    claims: { openid: ['sub'], profile: ['name'], email: ['email'], groups: ['groups'] },
    scopes: ['openid', 'profile', 'email', 'groups'],
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_context, { uid }) => `${path}/choose/${uid}` },
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 300, Interaction: 600, Session: 86_400, Grant: 86_400 },
    findAccount: (_context, key) => accountOf(key),
    // Our own client asks for nothing that people would have to be asked about.
    loadExistingGrant: async (context) => {
      const { client: asking, session } = context.oidc;
      const grant = new context.oidc.provider.Grant({ clientId: asking?.clientId, accountId: session?.accountId });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(`${origin}${path}`, configuration);
  // What stands before it says in its headers where people are.
  provider.proxy = true;
  provider.on('server_error', (_context, error) =>
    log.error({ error: error.message, code: 'internal' }, 'the identity provider of the sandbox failed'),
  );
  return provider;
}

function accountOf(key: string) {
  const found = sandboxPeople.find((person) => person.key === key);
  if (!found) return undefined;
  const { name, email, group } = found;
  return { accountId: key, claims: () => ({ sub: key, name, email, groups: [group] }) };
}

interface IdentityExchange {
  provider: Provider;
  styles: readonly Asset[];
  request: IncomingMessage & { originalUrl?: string };
  response: ServerResponse;
}

/** The chooser is ours, everything else the library's, which is told that it lives below a path and under which origin. */
async function serve(deps: IdentityDeps, exchange: IdentityExchange): Promise<void> {
  const { request, response, provider } = exchange;
  const { host, protocol } = new URL(deps.origin);
  request.headers.host = host;
  request.headers['x-forwarded-host'] = host;
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  request.originalUrl = request.url ?? '/';
  request.url = request.originalUrl.slice(deps.path.length) || '/';
  if (request.url.startsWith('/choose/')) return choose(deps, exchange);
  await provider.callback()(request, response);
}

/** `login_hint` names one of the five: nothing is asked then. */
async function choose(deps: IdentityDeps, { provider, styles, request, response }: IdentityExchange): Promise<void> {
  const asked = await provider.interactionDetails(request, response).catch(() => null);
  if (!asked) return sendDocument(response, { status: 400, styles, title: 'Sign in', body: lostView() });
  const form =
    request.method === 'POST'
      ? readForm(String(request.headers['content-type']), await readBody(request, { bytesMax: formBytesMax }))
      : {};
  const wanted = request.method === 'POST' ? form['person'] : asked.params['login_hint'];
  const person = sandboxPeople.find(({ key }) => key === wanted);
  if (person) {
    await forget(asked, response);
    const login = { accountId: person.key, remember: false };
    return provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
  }
  const action = `${deps.path}/choose/${asked.uid}`;
  sendDocument(response, { status: 200, styles, title: chooserTitle, body: chooserView(action) });
}

type InteractionDetails = Awaited<ReturnType<Provider['interactionDetails']>>;

/** Whoever was here before in this browser, in this tab or in another: the library takes nobody else while that session lives, and here everybody is asked each time. */
async function forget(asked: InteractionDetails, response: ServerResponse): Promise<void> {
  Object.assign(asked, { session: undefined });
  await asked.save(asked.exp - Math.floor(Date.now() / 1_000));
  response.setHeader('set-cookie', `${sessionCookie}=; path=/; max-age=0; httponly; samesite=lax`);
}

interface Drawn {
  status: number;
  styles: readonly Asset[];
  title: string;
  body: Markup;
}

function sendDocument(response: ServerResponse, { status, styles, title, body }: Drawn): void {
  const page = Buffer.from(
    document({ texts: textsOf('en'), title, styles, body, foot: chooserFoot, isTest: true }).text,
  );
  response.writeHead(status, {
    ...commonHeaders,
    ...pageHeaders(),
    'content-type': 'text/html; charset=utf-8',
    'content-length': page.length,
  });
  response.end(page);
}

function sendAsset(response: ServerResponse, { type, bytes }: Asset): void {
  response.writeHead(200, {
    ...commonHeaders,
    'content-type': type,
    'content-length': bytes.length,
    'cache-control': 'public, max-age=31536000, immutable',
  });
  response.end(bytes);
}
