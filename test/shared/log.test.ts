// Logs: only named fields leave, and nothing that looks like a card number does.
import { decideErrorText } from '../../app/launcher/process-log';
import { createLog, scrub } from '../../subgraphs/shared/log/log';

function logged(fields: object, message = 'said'): Record<string, unknown> {
  const lines: string[] = [];
  createLog('info', 'test', (line) => void lines.push(line)).info(fields, message);
  return JSON.parse(lines[0] ?? '{}');
}

test('a field that is not on the list does not leave the process', () => {
  expect(logged({ requestId: 'r', accessToken: 'secret', body: { cvv: '123' } })).toMatchObject({
    requestId: 'r',
    role: 'test',
    msg: 'said',
  });
  expect(JSON.stringify(logged({ requestId: 'r', accessToken: 'secret', body: { cvv: '123' } }))).not.toMatch(
    /secret|123/,
  );
});

test('an error is logged with its stack, its own fields are not', () => {
  const error = Object.assign(new Error('broken'), { card: '4242424242424242' });
  const line = logged({ error });
  expect(line['error']).toEqual({ name: 'Error', message: 'broken', stack: expect.stringContaining('broken') });
});

test.each([
  ['4242424242424242', '[card number]'],
  ['4242 4242 4242 4242', '[card number]'],
  ['4242-4242-4242-4242', '[card number]'],
  ['378282246310005', '[card number]'],
  ['"pan":"5555555555554444"', '"pan":"[card number]"'],
  ['42424242-4242-4242-8aaa-aaaaaaaaaaaa', '[card number]-8aaa-aaaaaaaaaaaa'],
  ['42424242-4242-4242-8424-242424242424', '[card number]-8424-242424242424'],
])('%p is blanked', (text, scrubbed) => {
  expect(scrub(text)).toBe(scrubbed);
});

test.each([
  '7ea8b7f5-148c-4096-8429-912892be5434',
  '019a7c3e-0000-7000-8429-912892000000',
  'VA-7EA8B7F5-148C-4096-8429-912892BE5434',
  '4242424242424241',
  '2026-11-21T08:50:56.123Z',
  '1700000000000',
  '424242******4242',
  '12345678901',
])('%p stays', (text) => {
  expect(scrub(text)).toBe(text);
});

test('a card number in a message is blanked in the written line', () => {
  expect(logged({}, 'got 4000000000000341 from somewhere')['msg']).toBe('got [card number] from somewhere');
});

function readable(level: 'info' | 'error', fields: object, message: string): string {
  const lines: string[] = [];
  createLog('info', 'app-1', (line) => void lines.push(line), 'pretty')[level](fields, message);
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';

test('a line for people has time, level, role, message and fields, and the stack of an error below', () => {
  expect(readable('info', { requestId: 'r-1', status: 200, reason: 'two words' }, 'answered')).toMatch(
    new RegExp(`^${time} INFO  app-1 answered requestId=r-1 status=200 reason="two words"\\n$`),
  );
  const [head, first, ...frames] = readable('error', { error: new TypeError('it broke'), count: 2 }, 'failed').split(
    '\n',
  );
  expect(head).toMatch(new RegExp(`^${time} ERROR app-1 failed error="it broke" count=2$`));
  expect(first).toBe('    TypeError: it broke');
  expect(frames[0]).toMatch(/^ {4}at .*log\.test\.ts:\d+/);
});

test('a line for people stays one line, without card numbers and without other fields', () => {
  const fields = { accessToken: 'secret', count: 4242424242424242, reason: 'two\nlines \u001b[2J', path: 'a=b' };
  expect(readable('info', fields, 'card\n4000 0000 0000 0341').replace(/^\S+ /, '')).toBe(
    'INFO  app-1 card\\u000a[card number] count=[card number] reason="two\\nlines \\u001b[2J" path="a=b"\n',
  );
  const error = Object.assign(new Error('card 4242424242424242'), { secret: 'kept here' });
  expect(readable('error', { error }, 'failed')).not.toMatch(/4242|kept here/);
});

test('the launcher knows an error in a line for people', () => {
  const [head = '', ...below] = readable('error', { error: new Error('it broke') }, 'failed')
    .trimEnd()
    .split('\n');
  expect(decideErrorText(head)).toEqual({ text: 'failed error="it broke"', isLogged: true });
  expect(below.map((line) => decideErrorText(line).text).filter((text) => text !== undefined)).toEqual([]);
  expect(decideErrorText(readable('info', {}, 'all is well').trimEnd())).toEqual({ isLogged: false });
});
