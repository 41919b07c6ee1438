// create-token through the whole route: against the RSA operations of this machine and against the ordinary shape.
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import type { Benchmark } from '../support/benchmark';
import { type BodiesFile, writeBodies } from '../support/cards';
import { httpCase } from '../support/http-case';
import { startLoad } from '../support/http-load';
import { type Product, startProduct } from '../support/product';
import { freePort, type ServerProcess, startServer } from '../support/server-process';
import type { OrdinarySettings } from './ordinary.server';
import { hasOpenssl, privateOperationsPerSecond } from './rsa-limit';

const inFlight = 32;
const processes = 2;
const warmUpSecondsMax = 2;
/** Cards sealed beforehand, as a share of what the limit could take. */
const sealed = { ordinary: 0.3, product: 1 };

const limit = 'RSA private operations';
const ordinary = 'express + jose + mongoose';
const bearer = 'bench-token';

export const benchmark: Benchmark = {
  title: `create-token, ${inFlight} in flight, ${processes} processes, distinct cards`,
  async open({ rounds, seconds }) {
    const product = await startProduct({ processes });
    const keys = newKeys();
    const server = await startOrdinary(product, keys.privateJwk);
    const perSecond = await privateOperationsPerSecond(1, processes);
    const count = (share: number) => Math.ceil(perSecond * share * (rounds * seconds + warmUpSecondsMax));
    const files = {
      ordinary: writeBodies({ jwk: keys.publicJwk, merchantId: 'm-1' }, count(sealed.ordinary)),
      product: writeBodies(await product.cardRecipient(), count(sealed.product)),
    };
    const load = startLoad();
    const { databasePids } = product;
    const ordinaryRequest = createToken(
      server.port,
      { authorization: `Bearer ${bearer}`, accept: '*/*' },
      files.ordinary,
    );
    const productRequest = createToken(product.restPort, await product.tokenizationHeaders(), files.product);
    return {
      cases: [
        {
          name: limit,
          kind: 'limit',
          measure: async (duration) => ({ rate: await privateOperationsPerSecond(duration, processes) }),
        },
        httpCase(load, { name: ordinary, kind: 'ordinary', request: ordinaryRequest, pids: server.pids, databasePids }),
        httpCase(load, { name: 'product', kind: 'product', request: productRequest, pids: product.pids, databasePids }),
      ],
      reference: limit,
      goals: [
        { metric: 'rate', of: 'product', against: limit, atLeast: 0.45, aim: 0.55 },
        { metric: 'rate', of: 'product', against: ordinary, atLeast: 3 },
        { metric: 'p99Ms', of: 'product', against: ordinary, atMost: 0.5 },
      ],
      facts: [`private operations measured by ${hasOpenssl() ? 'openssl speed' : 'node'}, ${processes} at once`],
      async close() {
        await load.stop();
        await server.stop();
        for (const file of Object.values(files)) file.remove();
        await product.stop();
      },
    };
  },
};

async function startOrdinary(product: Product, privateJwk: JWK): Promise<ServerProcess> {
  return startServer('create-token/ordinary.server.ts', {
    mongoUri: product.mongoUri('ordinary'),
    port: await freePort(),
    processes,
    privateJwk,
    recipientJwk: newKeys().publicJwk,
    bearerHash: createHash('sha256').update(bearer).digest('base64url'),
  } satisfies OrdinarySettings);
}

function createToken(port: number, headers: Record<string, string>, bodies: BodiesFile) {
  return {
    port,
    method: 'POST' as const,
    path: '/virtual-accounts/token',
    headers: { ...headers, 'content-type': 'application/json' },
    bodiesFile: bodies.path,
    connections: inFlight,
  };
}

function newKeys(): { privateJwk: JWK; publicJwk: JWK } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = randomUUID();
  return {
    privateJwk: { ...(privateKey.export({ format: 'jwk' }) as JWK), kid },
    publicJwk: { ...(publicKey.export({ format: 'jwk' }) as JWK), kid },
  };
}
