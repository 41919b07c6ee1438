// REST while a dependency is away: without Redis it goes on, without MongoDB it answers 503 with Retry-After, and it recovers by itself.
import { newId } from '../../subgraphs/shared/ids';
import { send } from '../support/client';
import { accountExpiry } from '../support/expiry';
import { freshCardNumber, type Partner, partnerOf } from '../support/partner';
import { eventually } from '../support/stores';
import { startWorld, type World } from '../support/world';

describe('a dependency is away', () => {
  let world: World;
  let partner: Partner;
  let virtualAccountId: string;

  beforeAll(async () => {
    world = await startWorld({ databases: 'own' });
    partner = await partnerOf(world, 'alpha');
    virtualAccountId = (await partner.createToken(card())).body.virtualAccountId;
  });
  afterAll(() => world?.stop());

  const card = () => ({ account: freshCardNumber(), accountExpiry });
  const readiness = () => send(world.urls.rest, { method: 'GET', path: '/readyz' });

  it('goes on without Redis', async () => {
    world.kill('redis-server', 'SIGSTOP');
    try {
      expect((await partner.createToken(card())).status).toBe(201);
      expect((await partner.createTransaction(virtualAccountId)).status).toBe(201);
      expect((await partner.read(virtualAccountId)).status).toBe(200);
    } finally {
      world.kill('redis-server', 'SIGCONT');
    }
  });

  it('answers 503 with Retry-After without MongoDB, is not ready, and is itself again afterwards', async () => {
    world.kill('mongod', 'SIGSTOP');
    try {
      // A busy machine stops a process a moment after the signal.
      expect(await eventually(async () => ((await readiness()).status === 503 ? 503 : null))).toBe(503);
      const [read, write] = await Promise.all([
        partner.read(virtualAccountId),
        partner.call('PUT', `/virtual-accounts/${newId()}/tokenState`, { tokenState: 'DELETE', reasonCode: '1023' }),
      ]);
      for (const answer of [read, write]) {
        expect([answer.status, answer.body.errorCode]).toEqual([503, 'MTS-1618']);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      }
      expect((await send(world.urls.rest, { method: 'GET', path: '/healthz' })).status).toBe(200);
    } finally {
      world.kill('mongod', 'SIGCONT');
    }
    await eventually(async () => (await partner.read(virtualAccountId)).status === 200);
    await eventually(async () => (await partner.createToken(card())).status === 201);
  });
});
