// A plugin for Hive Gateway that makes it one of the platform's gateways: it asks whose the access token is, and signs each call to a subgraph with the answer.
import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto';

const base64url = (text) => Buffer.from(text).toString('base64url');
const sha256 = (text) => createHash('sha256').update(text).digest('base64url');

const unauthenticated = { message: 'the access token does not work', extensions: { code: 'unauthenticated' } };

/** `key`: PKCS #8, base64. `access`: the address of the subgraph that knows clients. */
export function signedCalls({ key, access }) {
  const privateKey = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });

  function statement(subgraph, url, body, said) {
    const bound = {
      iss: 'gateway',
      aud: subgraph,
      method: 'POST',
      path: new URL(url).pathname,
      bodyHash: sha256(body),
    };
    const once = { iat: Math.floor(Date.now() / 1_000), jti: randomUUID() };
    const signed = `${base64url('{"alg":"EdDSA"}')}.${base64url(JSON.stringify({ ...bound, ...once, ...said }))}`;
    return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
  }

  async function holderOf(authorization) {
    const query = `query ($authorization: String!) { tokenHolder(authorization: $authorization) {
      kind credentialId environment accountId scopes merchantId identifiers { acquirerId providerId pspId } accessTokenHash expiresAt } }`;
    const body = JSON.stringify({ query, variables: { authorization } });
    const nobody = { kind: 'anonymous', credentialId: 'anonymous', accountId: '', scopes: [], identifiers: [] };
    const headers = { 'content-type': 'application/json' };
    headers['x-caller'] = statement('access', access, body, { caller: nobody, requestId: randomUUID() });
    const { data } = await (await fetch(access, { method: 'POST', headers, body })).json();
    if (!data?.tokenHolder) return null;
    const { merchantId, ...holder } = data.tokenHolder;
    return merchantId ? { ...holder, merchantId } : holder;
  }

  /** One look-up for each request, however many subgraphs it asks. */
  const said = new WeakMap();
  async function saidBy(context) {
    const { request, params } = context;
    const key = request.headers.get('idempotency-key');
    const fingerprint = sha256(JSON.stringify([params.query, params.operationName ?? null, params.variables ?? {}]));
    const idempotency = key ? { key, scope: 'graph', fingerprint } : undefined;
    const caller = await holderOf(request.headers.get('authorization') ?? '');
    return { caller, requestId: request.headers.get('x-request-id') ?? randomUUID(), idempotency };
  }

  return {
    async onFetch({ url, options, setOptions, endResponse, context, executionRequest }) {
      const { subgraphName: subgraph } = executionRequest ?? {};
      if (!subgraph) return;
      if (!said.has(context.request)) said.set(context.request, saidBy(context));
      const statedBy = await said.get(context.request);
      if (!statedBy.caller) return endResponse(Response.json({ errors: [unauthenticated] }));
      const headers = { ...options.headers, 'x-caller': statement(subgraph, url, options.body, statedBy) };
      setOptions({ ...options, headers });
    },
  };
}
