// Proof: a revoked access token is refused by every process within a second, and the sockets that it opened are closed with 4403.
import { setTimeout as wait } from 'node:timers/promises';
import WebSocket from 'ws';
import { send } from '../support/client';
import { accessTokenOf } from '../support/partner';
import { eventually } from '../support/stores';
import type { World } from '../support/world';
import { expectNone, proof, timeLimitMs } from './proof';
import { withWorld } from './with-world';

/** The promise is one second; the rest is what a busy machine may take to notice. */
const refusedMsMax = timeLimitMs(1_500);
/** A call counts by when it was asked, a closing by when it was seen: among all the other tests of a run that may be later still. */
const seenClosedMsMax = { byName: refusedMsMax, smoke: 3 * refusedMsMax };

interface Socket {
  isLive: boolean;
  closed: Promise<{ code: number; atMs: number }>;
}

async function subscribe(world: World, accessToken: string, merchantId: string): Promise<Socket> {
  const socket = new WebSocket(world.urls.subscriptions, 'graphql-transport-ws');
  const state: Socket = {
    isLive: false,
    closed: new Promise((resolve) => socket.once('close', (code) => resolve({ code, atMs: performance.now() }))),
  };
  socket.on('error', () => undefined);
  socket.on('open', () =>
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${accessToken}` } })),
  );
  socket.on('message', (text) => {
    const { type } = JSON.parse(String(text)) as { type: string };
    if (type !== 'connection_ack') return;
    const query = 'subscription($m: ID!) { tokenEvents(merchantId: $m) { eventId } }';
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query, variables: { m: merchantId } } }));
    state.isLive = true;
  });
  await eventually(() => state.isLive);
  return state;
}

const askGraph = async (world: World, accessToken: string) =>
  (
    await send(world.urls.graph, {
      method: 'POST',
      path: '/graphql',
      options: {
        headers: { authorization: `Bearer ${accessToken}` },
        body: { query: '{ merchants(first: 1) { edges { cursor } } }' },
      },
    })
  ).text;

async function revoke(
  world: World,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  token: string,
): Promise<void> {
  const headers = {
    authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const answer = await send(world.urls.auth, {
    method: 'POST',
    path: '/revoke',
    options: { headers, body: `token=${token}` },
  });
  if (answer.headers['revokedaccesstoken'] === undefined) throw new Error(`not revoked: ${answer.status}`);
}

const sizes = { smoke: { rounds: 2, sockets: 6 }, full: { rounds: 50, sockets: 40 } };

proof('revocation', sizes, ({ size, isSmoke }) =>
  withWorld({ topology: 'embedded' }, async (world) => {
    const { viewer } = world.credentials.graph;
    let lastServedMs = 0;
    let lastClosedMs = 0;
    const wrong: string[] = [];
    for (let round = 0; round < size.rounds; round += 1) {
      const token = await accessTokenOf(world, viewer);
      const merchantId = world.credentials.tenants.alpha.merchantId;
      const sockets = await Promise.all(
        Array.from({ length: size.sockets }, () => subscribe(world, token, merchantId)),
      );
      if (!(await askGraph(world, token)).includes('"data"')) wrong.push('a live token was refused');
      await revoke(world, viewer, token);
      const revokedMs = performance.now();
      while (performance.now() - revokedMs < refusedMsMax) {
        const askedMs = performance.now() - revokedMs;
        const isServed = (await askGraph(world, token)).includes('"cursor"');
        if (isServed) lastServedMs = Math.max(lastServedMs, askedMs);
        await wait(20);
      }
      for (let call = 0; call < 10; call += 1) {
        if ((await askGraph(world, token)).includes('"cursor"'))
          wrong.push('a revoked token was served after the limit');
      }
      for (const { code, atMs } of await Promise.all(sockets.map(({ closed }) => closed))) {
        if (code !== 4403) wrong.push(`a socket was closed with ${code}`);
        lastClosedMs = Math.max(lastClosedMs, atMs - revokedMs);
      }
    }
    expectNone('broken promises', wrong);
    expect(lastServedMs).toBeLessThan(refusedMsMax);
    expect(lastClosedMs).toBeLessThan(isSmoke ? seenClosedMsMax.smoke : seenClosedMsMax.byName);
    return {
      rounds: size.rounds,
      sockets: size.rounds * size.sockets,
      'last served after ms': Math.round(lastServedMs),
      'last closed after ms': Math.round(lastClosedMs),
    };
  }),
);
