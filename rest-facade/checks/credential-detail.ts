// What a 401 means, in words for the sandbox: which header is expected in which form, and what came instead; never the value that came.
import type { IncomingHttpHeaders } from 'node:http';
import { readBasic } from '../authorization/authorization-request';
import type { ErrorFamily } from '../errors/error-tables';
import { type CredentialScheme, keyHeaders, readConsumerPair, readCredential } from './credential';

type Asking = Exclude<CredentialScheme, 'none'>;

const keyForm = (kind: string) => `${kind}_<environment>_<mode>_<id>.<secret>`;

/** How each scheme wants its header written, and where the sandbox keeps such a credential. */
const expectedForms: Readonly<Record<Asking, (family: ErrorFamily) => string>> = {
  bearer: () =>
    'Authorization: Bearer <access_token>, with an access token that POST /token of the authorization server gave (pay token)',
  apiKey: () => `X-API-KEY: ${keyForm('checkout')}, the key of a terminal (tenants.*.checkout)`,
  consumer: () =>
    'Authorization: Bearer <Base64(consumerKey:consumerSecret)>, or Basic in place of Bearer (tenants.*.admin)',
  secretKey: (family) =>
    family === 'partner'
      ? `Authorization: ${keyForm('partner')}, the key alone without a word in front (tenants.*.partner.secretApiKey)`
      : `Authorization: ${keyForm('merchant')} or ${keyForm('partner')}, the key alone without a word in front (tenants.*.reporting)`,
  sandboxKey: () => 'X-Sandbox-Key: <sandboxKey of sandbox-credentials.json>',
};

const clientForm =
  'Authorization: Basic <Base64(clientId:clientSecret)>, each half form-encoded first (clientId and clientSecret of sandbox-credentials.json)';

/** The same for the authorization server. */
export function clientDetail({ authorization }: IncomingHttpHeaders): string {
  const isBasic = /^basic /i.test(authorization ?? '');
  const found = !authorization
    ? 'the header is missing'
    : !isBasic
      ? 'the value does not begin with Basic'
      : readBasic(authorization)
        ? 'the form is right, but there is no such client, or its secret is another one'
        : 'the value is not Base64 of a client id, a colon and a secret';
  return `unauthenticated; field=Authorization; ${found}; expected ${clientForm}`;
}

/** The header that counts, and what to say about it. */
export function credentialDetail(
  scheme: Asking,
  family: ErrorFamily,
  headers: IncomingHttpHeaders,
): { header: string; text: string } {
  const name = headerName(scheme);
  return { header: name, text: `${foundIn(scheme, family, headers)}; expected ${expectedForms[scheme](family)}` };
}

const spellings = {
  'x-api-key': 'X-API-KEY',
  'x-sandbox-key': 'X-Sandbox-Key',
  authorization: 'Authorization',
} as const;

function headerName(scheme: Asking): string {
  return scheme === 'bearer' || scheme === 'consumer' ? spellings.authorization : spellings[keyHeaders[scheme]];
}

/** Kinds of keys that can be told by their beginning. */
const knownKinds = /^(checkout|consumer|merchant|partner)_/;
const wordInFront = /^(Bearer|Basic|Digest|ApiKey|SecretKey) /i;

/** What was wrong with what came: nothing, another form, another kind of key, or the right form without a credential behind it. */
function foundIn(scheme: Asking, family: ErrorFamily, headers: IncomingHttpHeaders): string {
  const sent = headers[headerName(scheme).toLowerCase()];
  const elsewhere = Object.entries(spellings).find(
    ([name, spelled]) => headers[name] && spelled !== headerName(scheme),
  );
  if (typeof sent !== 'string' || sent === '')
    return elsewhere ? `the header is missing (${elsewhere[1]} is another credential's)` : 'the header is missing';
  const credential = readCredential(scheme, headers);
  const word = wordInFront.exec(sent)?.[1];
  if ((scheme === 'secretKey' || scheme === 'apiKey') && word)
    return `the value begins with the word ${word}, which is not part of the key`;
  if (credential === null) return 'the value has another form';
  if (scheme === 'consumer' && !readConsumerPair(credential))
    return 'the value is not Base64 of a key, a colon and a secret';
  const kind = knownKinds.exec(credential)?.[1];
  if (kind && !kindsOf(scheme, family).includes(kind)) return `this is a ${kind} key`;
  if ((scheme === 'secretKey' || scheme === 'apiKey') && !kind) return 'the value does not begin as such a key does';
  return 'the form is right, but there is no such credential, or it has expired or was revoked';
}

function kindsOf(scheme: Asking, family: ErrorFamily): readonly string[] {
  if (scheme === 'apiKey') return ['checkout'];
  if (scheme === 'secretKey') return family === 'partner' ? ['partner'] : ['merchant', 'partner'];
  return [];
}
