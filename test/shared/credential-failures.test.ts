// Wrong credentials are counted per address in the real Redis: ten pass as what they are, then the answer is 429; other addresses and other refusals stay as they are.
import type { Redis } from 'ioredis';
import { createAddressOf } from '../../subgraphs/shared/callers/caller-address';
import { createBlame } from '../../subgraphs/shared/callers/credential-failures';
import { createRateLimiter } from '../../subgraphs/shared/callers/rate-limit';
import { DomainError } from '../../subgraphs/shared/errors';
import { openRedis } from '../../subgraphs/shared/store/redis';
import { eventually, openStores, type Stores } from '../support/stores';

let stores: Stores;
let redis: Redis;

beforeAll(async () => {
  stores = await openStores();
  redis = openRedis(stores.redisUrl, 'requests');
  await eventually(() => redis.status === 'ready');
});
afterAll(async () => {
  redis.disconnect();
  await stores.close();
});

let next = 0;
function freshAddress(): string {
  next += 1;
  return `198.51.100.${next}`;
}
const requestFrom = (remoteAddress: string) => ({ socket: { remoteAddress }, headers: {} }) as never;

function blaming(factor = 1) {
  const counted: string[] = [];
  const limiter = createRateLimiter({ redis, factor, answerMsMax: 30_000 });
  const credentialFailures = { inc: ({ surface }: { surface: string }) => counted.push(surface) };
  const metrics = { credentialFailures } as never;
  return { counted, blame: createBlame({ limiter, addressOf: createAddressOf(''), metrics }) };
}

test.each([1, 2])('of one address the first %d × ten a minute are what they are, over all surfaces', async (factor) => {
  const { blame, counted } = blaming(factor);
  const request = requestFrom(freshAddress());
  const codes: unknown[] = [];
  for (let time = 0; time < factor * 10 + 2; time += 1) {
    const thrown = await blame(time % 2 ? 'apiKey' : 'graph', request, new DomainError('unauthenticated'));
    codes.push((thrown as DomainError).code);
  }
  expect(codes).toEqual([...Array(factor * 10).fill('unauthenticated'), 'rateLimited', 'rateLimited']);
  expect(counted).toHaveLength(factor * 10 + 2);
  const other = await blame('apiKey', requestFrom(freshAddress()), new DomainError('keyRevoked'));
  expect(other).toMatchObject({ code: 'keyRevoked' });
});

test.each([new DomainError('unavailable'), new DomainError('forbidden'), new Error('a defect')])(
  "%s is nobody's wrong key",
  async (error) => {
    const { blame, counted } = blaming();
    const request = requestFrom(freshAddress());
    for (let time = 0; time < 12; time += 1) expect(await blame('bearer', request, error)).toBe(error);
    expect(counted).toEqual([]);
  },
);
