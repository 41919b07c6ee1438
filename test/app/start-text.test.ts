// What an application process says that does not start: a port in one sentence, a defect with its stack.
import { startText } from '../../app/start-text';

test.each([
  ['one of ours, by its variable', { PAY_PORT: '8500' }, /^Port 8500 is taken: stop that, or set PAY_PORT to another/],
  ['the usual one of a role', {}, /set PAY_PORT to another/, 8082],
  ['of two variables', { SHOP_PORT: '8500', ACS_PORT: '8500' }, /set SHOP_PORT or ACS_PORT to another/],
  ['of nobody', {}, /set its variable to another/],
])('a process alone says which port it could not have: %s', (_which, environment, sentence, port = 8500) => {
  const fault = Object.assign(new Error('listen EADDRINUSE'), {
    syscall: 'listen',
    code: 'EADDRINUSE',
    address: '127.0.0.1',
    port,
  });
  expect(startText(fault, environment)).toMatch(sentence);
  expect(startText(fault, environment)).not.toMatch(/^\s+at /m);
});

test('a defect at the start keeps its stack', () => {
  expect(startText(new TypeError('not that'), {})).toMatch(/^TypeError: not that\n\s+at /);
});
