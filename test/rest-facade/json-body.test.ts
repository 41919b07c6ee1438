// Strict JSON: what has one meaning is read as JSON.parse reads it, everything else is refused.
import { depthMax, isJsonContentType, parseJsonBody } from '../../rest-facade/checks/request-body';
import fc from '../support/properties';

const parse = (text: string | Buffer) => parseJsonBody(Buffer.from(text as string));
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('parseJsonBody', () => {
  it.each([
    ['an empty body', '', 'not JSON'],
    ['half an object', '{"a":', 'not JSON'],
    ['two values', '{} {}', 'not JSON'],
    ['a trailing comma', '{"a":1,}', 'not JSON'],
    ['a comment', '{/* a */}', 'not JSON'],
    ['single quotes', "{'a':1}", 'not JSON'],
    ['an unfinished string', '{"a":"b', 'not JSON'],
    ['a raw control character', '{"a":"\u0001"}', 'not JSON'],
    ['Latin-1 bytes', Buffer.from([0x22, 0xe9, 0x22]), 'not UTF-8'],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), 'not JSON'],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'not UTF-8'],
    ['a repeated name', '{"a":1,"a":2}', 'repeats a name'],
    ['a name repeated by an escape', '{"a":1,"\\u0061":2}', 'repeats a name'],
    ['a repeated name further in', '{"a":[{"b":{"c":1,"d":[],"c":2}}]}', 'repeats a name'],
    ['__proto__', '{"__proto__":{"isAdmin":true}}', '__proto__'],
    ['__proto__ by an escape', '{"a":{"\\u005f_proto__":1}}', '__proto__'],
    ['one level too deep', nested(depthMax + 1), 'nested deeper'],
    ['100,000 levels', '['.repeat(100_000), 'nested deeper'],
    ['100,000 objects', '{"a":'.repeat(100_000), 'nested deeper'],
  ])('refuses %s', (_name, text, message) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        code: message.startsWith('not ') ? 'notJson' : 'invalidInput',
        message: expect.stringContaining(message),
      }),
    );
  });

  it.each([
    ['the deepest nesting', nested(depthMax)],
    ['brackets in strings', `{"a":"${'['.repeat(100)}"}`],
    ['equal names in different objects', '{"a":{"b":1},"c":{"b":2},"b":3}'],
    ['equal values', '{"a":"b","b":"a","c":["a","a"]}'],
    ['a surrogate pair', '{"a":"\\ud83d\\ude00"}'],
    ['backslashes before quotes', '{"a\\\\":"\\\\\\"","b":"\\\\"}'],
    ['constructor and other inherited names', '{"constructor":1,"toString":2,"$where":3}'],
    ['NUL and half a surrogate pair, which no field takes', '{"a\\u0000":"\\ud800"}'],
    ['plain values', '"a"'],
  ])('reads %s as JSON.parse does', (_name, text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it('skips a byte order mark', () => {
    expect(parse('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  it('reads whatever JSON.stringify wrote, unless it says why not', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        try {
          expect(parse(text)).toEqual(JSON.parse(text));
        } catch (error) {
          expect(String(error)).toMatch(/__proto__/);
        }
      }),
    );
  });
});

describe('isJsonContentType', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json;',
  ])('takes %s', (value) => {
    expect(isJsonContentType(value)).toBe(true);
  });
  it.each([
    undefined,
    '',
    'text/plain',
    'application/jsonx',
    'application/json; charset=latin1',
    'application/x-www-form-urlencoded',
    'text/json',
    'application/json, text/plain',
    'multipart/form-data; boundary=application/json',
  ])('refuses %s', (value) => {
    expect(isJsonContentType(value)).toBe(false);
  });
});
