// create-token through the whole route: against the RSA operations of this machine and against the ordinary shape.
import { createHash, createPublicKey, randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import { newRsaKeySync } from '../../subgraphs/shared/crypto/rsa-key';
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
/** Cards sealed beforehand, as a share of what the limit could take. */
const sealed = { ordinary: 0.3, product: 1 };

const limit = 'RSA private operations';
const ordinary = 'express + jose + mongoose';
const durable = 'express + jose + mongoose, with an intent';
const bearer = 'bench-token';

export const benchmark: Benchmark = {
  title: `create-token, ${inFlight} in flight, ${processes} processes, distinct cards`,
  async open({ rounds, seconds, warmUpSeconds }) {
    const product = await startProduct({ processes });
    const keys = newKeys();
    const [server, durableServer] = await Promise.all([
      startOrdinary(product, keys.privateJwk, false),
      startOrdinary(product, keys.privateJwk, true),
    ]);
    const perSecond = await privateOperationsPerSecond(1, processes);
    const count = (share: number) => Math.ceil(perSecond * share * (rounds * seconds + warmUpSeconds));
    const files = {
      ordinary: writeBodies({ jwk: keys.publicJwk, merchantId: 'm-1' }, count(sealed.ordinary)),
      durable: writeBodies({ jwk: keys.publicJwk, merchantId: 'm-1' }, count(sealed.ordinary)),
      product: writeBodies(await product.cardRecipient(), count(sealed.product)),
    };
    const load = startLoad();
    const { databasePids } = product;
    const ordinaryHeaders = { authorization: `Bearer ${bearer}`, accept: '*/*' };
    const ordinaryCase = (name: string, { port, pids }: ServerProcess, file: BodiesFile) =>
      httpCase(load, { name, kind: 'ordinary', request: createToken(port, ordinaryHeaders, file), pids, databasePids });
    const productRequest = createToken(product.restPort, await product.tokenizationHeaders(), files.product);
    return {
      cases: [
        {
          name: limit,
          kind: 'limit',
          measure: async (duration) => ({ rate: await privateOperationsPerSecond(duration, processes) }),
        },
        ordinaryCase(ordinary, server, files.ordinary),
        ordinaryCase(durable, durableServer, files.durable),
        httpCase(load, { name: 'product', kind: 'product', request: productRequest, pids: product.pids, databasePids }),
      ],
      reference: durable,
      goals: [
        { metric: 'rate', of: 'product', against: durable, atLeast: 2.5 },
        { metric: 'allCpuMicros', of: 'product', against: durable, atMost: 0.4 },
        { metric: 'p99Ms', of: 'product', against: durable, atMost: 0.5 },
      ],
      facts: [
        'with an intent: written and journalled before the token is made, settled by its transaction, as the product has it',
        `private operations measured by ${hasOpenssl() ? 'openssl speed' : 'node'}, ${processes} at once`,
      ],
      async close() {
        await load.stop();
        await Promise.all([server, durableServer].map((each) => each.stop()));
        for (const file of Object.values(files)) file.remove();
        await product.stop();
      },
    };
  },
};

function startOrdinary(product: Product, privateJwk: JWK, hasIntent: boolean): Promise<ServerProcess> {
  return freePort().then((port) =>
    startServer('create-token/ordinary.server.ts', {
      mongoUri: product.mongoUri(hasIntent ? 'durable' : 'ordinary'),
      port,
      processes,
      privateJwk,
      recipientJwk: newKeys().publicJwk,
      bearerHash: createHash('sha256').update(bearer).digest('base64url'),
      hasIntent,
    } satisfies OrdinarySettings),
  );
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
  const privateKey = newRsaKeySync();
  const kid = randomUUID();
  return {
    privateJwk: { ...(privateKey.export({ format: 'jwk' }) as JWK), kid },
    publicJwk: { ...(createPublicKey(privateKey).export({ format: 'jwk' }) as JWK), kid },
  };
}
