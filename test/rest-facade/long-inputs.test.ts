// What a stranger types or sends at length is refused by its length, before any pattern runs over it.

import { faultOf, type InputName } from '../../pages/card-value';
import { mistakesIn } from '../../pages/pay/submitted-card';
import { isJsonContentType } from '../../rest-facade/checks/request-body';
import { parseJsonObject, readKid } from '../../subgraphs/shared/crypto/jwe';

const now = new Date('2026-01-15T12:00:00Z');
const header = (extra: object) =>
  Buffer.from(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'k-1', ...extra })).toString('base64url');

test.each<[InputName, string, string]>([
  ['number', '4111111111111111'.padEnd(255), 'numberInvalid'],
  ['expiry', '12/30'.padEnd(255), 'expiryInvalid'],
  ['cvv', '123'.padEnd(255), 'cvvInvalid'],
  ['holder', 'A'.repeat(255), 'holderInvalid'],
  ['email', `${'a'.repeat(250)}@b.it`, 'emailInvalid'],
])('%s beyond 254 characters is refused', (name, text, fault) => {
  expect(faultOf(name, text, { cvvDigits: 3, now })).toBe(fault);
});

test.each([
  ['a@b.it', null],
  ['a@b.c.it', null],
  ['a@b', 'emailInvalid'],
  ['a@.it', 'emailInvalid'],
  ['a@b..it', 'emailInvalid'],
  ['', null],
])('e-mail %j', (text, fault) => {
  expect(faultOf('email', text, { cvvDigits: 3, now })).toBe(fault);
});

test.each([
  ['12/2030', false],
  [' 12 / 30 ', false],
  ['1230', false],
  [`1${' '.repeat(32_600)}-`, true],
  [`12${' '.repeat(300)}30`, true],
])('expiry date %#', (expiry, isWrong) => {
  expect(mistakesIn({ expiry }, { methods: [] }, now).some(({ field }) => field === 'expiry')).toBe(isWrong);
});

test.each([
  ['application/json', true],
  [' Application/JSON ; charset = "UTF-8" ; ', true],
  ['application/json;', true],
  ['application/json;charset=utf-8', true],
  ['application/json; charset=latin1', false],
  ['application/jsonp', false],
  [`application/json${' '.repeat(15_000)}`, false],
  [undefined, false],
])('content type %#', (value, isJson) => {
  expect(isJsonContentType(value)).toBe(isJson);
});

test('a JWE header is read to 8,192 characters', () => {
  expect(readKid(header({ x5t: 'a'.repeat(5_000) }))).toBe('k-1');
  expect(readKid(header({ x5t: 'a'.repeat(7_000) }))).toBeNull();
});

test('names are counted outside strings only', () => {
  expect(readKid(header({ typ: '":' }))).toBe('k-1');
  expect(readKid(Buffer.from('{"alg":"RSA-OAEP-256","enc":"A256GCM","kid":"a","kid":"b"}').toString('base64url'))).toBe(
    null,
  );
  expect(parseJsonObject(Buffer.from('{"a":"\\"\\"\\""}'))).toEqual({ a: '"""' });
});
