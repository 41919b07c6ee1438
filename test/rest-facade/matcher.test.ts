// The route matcher: fixed paths before templates, a rest segment last, and the methods of a path that was found.
import { createMatcher } from '../../rest-facade/matcher';

const entries = [
  { method: 'POST', path: '/accounts/token' },
  { method: 'GET', path: '/accounts/{accountId}' },
  { method: 'POST', path: '/accounts/{accountId}/transaction' },
  { method: 'PUT', path: '/accounts/{accountId}/{part}' },
  { method: 'GET', path: '/receiver/requests' },
  { method: 'POST', path: '/receiver/faults' },
  { method: 'POST', path: '/receiver/{anything+}' },
];
const matcher = createMatcher(entries);

describe('matcher', () => {
  it.each([
    ['POST', '/accounts/token', '/accounts/token', {}],
    ['GET', '/accounts/17', '/accounts/{accountId}', { accountId: '17' }],
    ['HEAD', '/accounts/17', '/accounts/{accountId}', { accountId: '17' }],
    ['GET', '/accounts/a%2Fb', '/accounts/{accountId}', { accountId: 'a/b' }],
    ['GET', '/accounts/constructor', '/accounts/{accountId}', { accountId: 'constructor' }],
    ['POST', '/accounts/17/transaction', '/accounts/{accountId}/transaction', { accountId: '17' }],
    ['PUT', '/accounts/17/state', '/accounts/{accountId}/{part}', { accountId: '17', part: 'state' }],
    ['POST', '/receiver/faults', '/receiver/faults', {}],
    ['POST', '/receiver/v1/m/x', '/receiver/{anything+}', { anything: 'v1/m/x' }],
  ])('%s %s finds %s', (method, path, found, params) => {
    expect(matcher.match(method, path)).toMatchObject({ kind: 'found', entry: { path: found }, params });
  });

  it.each([
    ['GET', '/accounts/token', 'POST'],
    ['DELETE', '/accounts/17', 'GET, HEAD'],
    ['GET', '/accounts/17/transaction', 'POST, PUT'],
    ['POST', '/receiver/requests', 'GET, HEAD'],
    ['get', '/accounts/17', 'GET, HEAD'],
  ])('%s %s is the wrong method, %s would do', (method, path, allow) => {
    expect(matcher.match(method, path)).toEqual({ kind: 'wrongMethod', allow });
  });

  it.each([
    '/',
    '',
    '/accounts',
    '/accounts/',
    '//accounts/17',
    '/accounts/17/',
    '/accounts//transaction',
    '/Accounts/17',
    '/accounts/%',
    '/accounts/%ff',
    '/receiver',
    '/receiver/',
    '/accounts/{accountId}/x/y',
    '*',
  ])('%s is nowhere', (path) => {
    expect(matcher.match('GET', path)).toEqual({ kind: 'none' });
  });

  it('refuses two routes for one place', () => {
    expect(() => createMatcher([...entries, { method: 'GET', path: '/accounts/{accountId}' }])).toThrow('two routes');
  });
});
