// Following a channel of Redis: heard from the first moment on, whatever state the connection was in.
import { once } from 'node:events';
import { followChannel, openRedis } from '../../subgraphs/shared/store/redis';
import { eventually, openStores, type Stores } from '../support/stores';

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.close());

it.each(['connecting', 'connect', 'ready'])(
  'a channel that is followed while the connection is at %s is heard',
  async (state) => {
    const subscriber = openRedis(stores.redisUrl, 'workers');
    if (state !== 'connecting') await once(subscriber, state);
    expect(subscriber.status).toBe(state);
    const channel = `${stores.databaseName}:${state}`;
    const heard: string[] = [];
    const following = followChannel(subscriber, channel, (message) => void heard.push(message));
    await eventually(() => following.isSubscribed());
    expect(await stores.redis.publish(channel, 'wake-up')).toBe(1);
    await eventually(() => heard.length === 1);
    expect(heard).toEqual(['wake-up']);
    subscriber.disconnect();
    await eventually(() => !following.isSubscribed());
  },
);
