// The one configuration: defaults, derived values, and one error that lists everything that is wrong.
import { readConfig } from '../../subgraphs/shared/config';

test('an empty environment is the sandbox with its documented ports', () => {
  expect(readConfig({})).toMatchObject({
    environment: 'sandbox',
    isSandbox: true,
    HOST: '127.0.0.1',
    REST_PORT: 8080,
    AUTH_PORT: 8081,
    GRAPH_PORT: 4000,
    METRICS_PORT: 9464,
    METRICS_HOST: '127.0.0.1',
    DATA_DIR: '.data',
    RATE_LIMIT_FACTOR: 50,
    ROLES: ['all'],
    SUBGRAPH_URLS: {},
  });
});

test('production multiplies no rate', () => {
  expect(readConfig({ MODE: 'production' })).toMatchObject({ isSandbox: false, RATE_LIMIT_FACTOR: 1 });
});

test.each([
  [{}, 'on'],
  [{ MODE: 'production' }, 'off'],
  [{ MODE: 'production', GRAPHIQL: 'on' }, 'on'],
  [{ GRAPHIQL: 'off' }, 'off'],
])('GraphiQL with %j is %s', (env, expected) => {
  expect(readConfig(env).GRAPHIQL).toBe(expected);
});

test('everything that is wrong is named at once', () => {
  const read = () => readConfig({ MODE: 'staging', REST_PORT: '99999', RATE_LIMIT_FACTOR: '0', LOG_LEVEL: 'loud' });
  for (const name of ['MODE', 'REST_PORT', 'RATE_LIMIT_FACTOR', 'LOG_LEVEL']) expect(read).toThrow(name);
});

test('an empty variable counts as absent', () => {
  expect(readConfig({ REST_PORT: '' }).REST_PORT).toBe(8080);
});

test.each(['not json', '[1]', '{"access": 3}'])('SUBGRAPH_URLS %p is refused by name', (value) => {
  expect(() => readConfig({ SUBGRAPH_URLS: value })).toThrow(/SUBGRAPH_URLS/);
});

test('payers reach the pages where this machine listens, unless another origin is named', () => {
  expect(readConfig({ HOST: '0.0.0.0', PAY_PORT: '9' })).toMatchObject({
    PAY_URL: 'http://127.0.0.1:9',
    ACS_URL: 'http://127.0.0.1:8084',
    SHOP_PORT: 8083,
    ACS_PORT: 8084,
  });
  expect(readConfig({ HOST: '::1' }).PAY_URL).toBe('http://[::1]:8082');
  expect(readConfig({ PAY_URL: 'https://pay.example' }).PAY_URL).toBe('https://pay.example');
});

test.each([
  'pay.example',
  'https://pay.example/',
  'https://PAY.example',
  'https://pay.example:443',
  'https://user@pay.example',
  'ftp://pay.example',
  'javascript:alert(1)',
])('PAY_URL %s is no origin', (value) => {
  for (const name of ['PAY_URL', 'ACS_URL', 'REST_URL', 'AUTH_URL'])
    expect(() => readConfig({ [name]: value })).toThrow(name);
});
