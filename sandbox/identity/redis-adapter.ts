// Where the sandbox's identity provider keeps what it gave out: in Redis, so that every process of the graph serves it.
import type { Redis } from 'ioredis';
import type { Adapter, AdapterPayload } from 'oidc-provider';

type Store = Pick<Redis, 'get' | 'set' | 'del' | 'sadd' | 'smembers' | 'expire'>;

const prefix = 'sandbox-identity';

/** Made anew by the provider for each kind of thing that it keeps. */
export function redisAdapter(redis: Store): (kind: string) => Adapter {
  return (kind) => {
    const keyOf = (id: string) => `${prefix}:${kind}:${id}`;
    const read = async (key: string | null) => {
      const text = key === null ? null : await redis.get(key);
      return text === null ? undefined : (JSON.parse(text) as AdapterPayload);
    };
    const grantKey = (grantId: string) => `${prefix}:grant:${grantId}`;
    return {
      async upsert(id, payload, expiresIn) {
        const seconds = Math.max(1, Math.ceil(expiresIn || 3_600));
        await redis.set(keyOf(id), JSON.stringify(payload), 'EX', seconds);
        if (payload.uid) await redis.set(`${prefix}:uid:${payload.uid}`, keyOf(id), 'EX', seconds);
        if (!payload.grantId) return;
        await redis.sadd(grantKey(payload.grantId), keyOf(id));
        await redis.expire(grantKey(payload.grantId), Math.max(seconds, 3_600));
      },
      find: (id) => read(keyOf(id)),
      findByUid: async (uid) => read(await redis.get(`${prefix}:uid:${uid}`)),
      // Nobody types a code from another device here.
      findByUserCode: async () => undefined,
      async consume(id) {
        const payload = await read(keyOf(id));
        if (!payload) return;
        await redis.set(keyOf(id), JSON.stringify({ ...payload, consumed: Math.floor(Date.now() / 1_000) }), 'KEEPTTL');
      },
      async destroy(id) {
        await redis.del(keyOf(id));
      },
      async revokeByGrantId(grantId) {
        const keys = await redis.smembers(grantKey(grantId));
        await redis.del(...keys, grantKey(grantId));
      },
    };
  };
}
