// Every refusal as the three families of the administration interface print it, and the credentials that they read (Errors, Authentication; decision register 2.3-A, T14).
import { challengeOf, readConsumerPair, readCredential, tellsMissing } from '../../rest-facade/checks/credential';
import { type ErrorFamily, printRefusal } from '../../rest-facade/errors/errors';
import { type DomainErrorCode, domainErrors } from '../../subgraphs/shared/errors';

const requestId = '3f1c2a44-7f6e-4f0a-9b1d-0a2b3c4d5e6f';
const codes = Object.keys(domainErrors) as DomainErrorCode[];

/** Status, code and source in all three families; what is not here is 400 with code 1004. */
const shared: Partial<Record<DomainErrorCode, [status: number, code: string, source: string]>> = {
  internal: [500, '1000', 'internal'],
  unavailable: [503, '1001', 'internal'],
  conflict: [503, '1001', 'internal'],
  outcomeUnknown: [503, '1001', 'internal'],
  notJson: [400, '1002', 'validation'],
  fieldMissing: [400, '1003', 'validation'],
  duplicateInFlight: [409, '1004', 'validation'],
  payloadTooLarge: [413, '1004', 'validation'],
  rateLimited: [429, '1006', 'validation'],
  credentialMissing: [401, '2001', 'authentication'],
  unauthenticated: [401, '2002', 'authentication'],
  forbidden: [401, '2003', 'authentication'],
  freshSignInNeeded: [401, '2003', 'authentication'],
  keyRevoked: [401, '2004', 'authentication'],
  countryNotOffered: [400, '3002', 'partner'],
  organizationNumberInvalid: [400, '3003', 'partner'],
  bankAccountInvalid: [400, '3004', 'partner'],
  applicationStatusInvalid: [400, '3005', 'partner'],
  webhookInvalid: [400, '3006', 'partner'],
  resendLimit: [400, '3007', 'partner'],
  merchantExists: [400, '4002', 'validation'],
  merchantIdMismatch: [400, '4003', 'validation'],
  merchantInactive: [404, '4004', 'validation'],
  dateRangeInvalid: [400, '5001', 'report'],
  pageBoundsInvalid: [400, '5002', 'report'],
  merchantNumberMissing: [400, '5004', 'report'],
};

/** What is particular to one of them. */
const own = {
  administration: { notFound: [404, '4001', 'validation'] },
  partner: { notFound: [404, '3001', 'partner'], currencyInvalid: [400, '3002', 'partner'] },
  reporting: { notFound: [404, '5003', 'report'], currencyInvalid: [400, '5005', 'report'] },
} as const satisfies Partial<Record<ErrorFamily, typeof shared>>;

describe.each(Object.keys(own) as (keyof typeof own)[])('%s', (family) => {
  const expected: typeof shared = { ...shared, ...own[family] };

  it.each(codes)('answers %s', (code) => {
    const [status, wire, source] = expected[code] ?? [400, '1004', 'validation'];
    const answer = printRefusal(family, { code, message: 'what was found' }, requestId);
    expect([answer.status, answer.body]).toEqual([status, { message: expect.any(String), code: wire, source }]);
    expect(Boolean(answer.headers['retry-after'])).toBe([409, 429, 503].includes(status));
    expect(answer.headers['link']).toBe(`</docs/errors#${wire}>; rel="help"`);
  });
});

describe('credentials of the administration interface', () => {
  const pair = Buffer.from('key-1:secret:with:colons').toString('base64');

  it.each([
    ['consumer', `Bearer ${pair}`, pair],
    ['consumer', `Basic ${pair}`, pair],
    ['consumer', `bearer   ${pair} `, pair],
    ['consumer', `Digest ${pair}`, null],
    ['consumer', pair, null],
    ['consumer', '', null],
    ['consumer', undefined, null],
    ['consumer', `Bearer ${'A'.repeat(1_025)}`, null],
    ['secretKey', 'partner_sandbox_live_1.secret', 'partner_sandbox_live_1.secret'],
    ['secretKey', `Bearer ${pair}`, `Bearer ${pair}`],
    ['secretKey', '', null],
    ['secretKey', undefined, null],
    ['secretKey', 'x'.repeat(513), null],
  ] as const)('%s reads %j', (scheme, authorization, credential) => {
    expect(readCredential(scheme, { authorization })).toBe(credential);
    expect(tellsMissing(scheme)).toBe(true);
  });

  it.each([
    [pair, { key: 'key-1', secret: 'secret:with:colons' }],
    [Buffer.from('no colon').toString('base64'), null],
    [Buffer.from(':secret').toString('base64'), null],
    [Buffer.from('key:').toString('base64'), null],
    ['an access token', null],
    ['key-1:secret-1', null],
    ['', null],
  ])('%j is the pair %j', (encoded, read) => {
    expect(readConsumerPair(encoded)).toEqual(read);
  });

  it.each([
    ['consumer', 'credentialMissing', 'Basic realm="administration", Bearer'],
    ['consumer', 'unauthenticated', 'Basic realm="administration", Bearer error="invalid_token"'],
    ['consumer', 'keyRevoked', 'Basic realm="administration", Bearer error="invalid_token"'],
    ['consumer', 'forbidden', 'Basic realm="administration", Bearer error="insufficient_scope"'],
    ['consumer', 'notFound', null],
    ['secretKey', 'credentialMissing', 'SecretKey'],
    ['secretKey', 'unauthenticated', 'SecretKey'],
    ['secretKey', 'keyRevoked', 'SecretKey'],
    ['secretKey', 'forbidden', 'SecretKey'],
    ['secretKey', 'fieldMissing', null],
    ['apiKey', 'keyRevoked', 'ApiKey'],
  ] as const)('%s challenges %s with %j', (scheme, code, challenge) => {
    expect(challengeOf(scheme, code, {}, [])).toBe(challenge);
  });
});
