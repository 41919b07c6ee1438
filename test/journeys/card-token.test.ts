// A card token's whole life over the documented paths, its callbacks, the graph and a live subscription (tokenization interface).
import { newId } from '../../subgraphs/shared/ids';
import { accountExpiry } from '../support/expiry';
import { freshCardNumber, graph, type Partner, partnerOf, receivedBy, sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';

let world: World;
let alpha: Partner;
let beta: Partner;

beforeAll(async () => {
  world = await sharedWorld();
  [alpha, beta] = await Promise.all([partnerOf(world, 'alpha'), partnerOf(world, 'beta')]);
  await sandboxCall(world, 'PUT', '/sandbox/tra', {
    tenant: 'alpha',
    notifyBaseUrl: `${world.urls.rest}/sandbox/receiver`,
  });
});
afterAll(() => world.stop());

const card = () => ({ account: freshCardNumber(), accountExpiry, cvv: '123', name: 'Ada Lovelace' });

interface Received {
  path: string;
  headers: Record<string, string>;
  body: Record<string, unknown> & { updateType: string };
}

/** The callbacks that the built-in receiver got about one virtual account, oldest first. */
async function received(virtualAccountId: string): Promise<Received[]> {
  const about = (await receivedBy(world)).filter(({ path }) => path.includes(virtualAccountId));
  return about.map((request) => ({ ...request, body: JSON.parse(request.body) }));
}

test('create, pay, suspend, resume, delete: each step is answered, notified and told to the graph', async () => {
  const { account, ...rest } = card();
  const created = await alpha.createToken({ account, ...rest });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ virtualAccountState: 'ACTIVE' });
  const { virtualAccountId } = created.body;
  const result = await alpha.open(created.body.encryptedData);
  expect(result).toEqual({ token: expect.stringMatching(/^\d{16}$/), tokenExpiry: expect.stringMatching(/^\d{6}$/) });
  expect(result['token']).not.toBe(account);

  const paid = await alpha.createTransaction(virtualAccountId);
  expect(paid.status).toBe(201);
  expect(await alpha.open(paid.body.encryptedData)).toEqual({
    ...result,
    cryptogram: expect.stringMatching(/^[A-Za-z0-9+/]{27}=$/),
  });

  expect(
    (await sandboxCall(world, 'POST', `/sandbox/virtual-accounts/${virtualAccountId}/events`, { event: 'SUSPEND' }))
      .status,
  ).toBe(202);
  expect((await alpha.createTransaction(virtualAccountId)).body).toMatchObject({ errorCode: 'MTS-1619' });
  const [suspended] = await eventually(async () => {
    const callbacks = await received(virtualAccountId);
    return callbacks.length > 0 ? callbacks : undefined;
  });
  expect(suspended?.path).toContain(
    `/v1/${alpha.credentials.merchantId}/virtual-accounts/${virtualAccountId}/notify-update`,
  );
  expect(suspended?.body).toEqual({
    updateType: 'TOKEN_STATE_CHANGE',
    tokenInfo: {
      tokenMasked: expect.stringMatching(/^\d{6}\*+\d{4}$/),
      tokenExpiry: result['tokenExpiry'],
      tokenStatus: 'SUSPENDED',
    },
  });

  await sandboxCall(world, 'POST', `/sandbox/virtual-accounts/${virtualAccountId}/events`, { event: 'RESUME' });
  const deleted = await alpha.deleteToken(virtualAccountId);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect((await alpha.deleteToken(virtualAccountId)).status).toBe(204);
  expect((await alpha.createTransaction(virtualAccountId)).status).toBe(404);
  expect((await alpha.read(virtualAccountId)).body).toMatchObject({ virtualAccountState: 'DELETED' });

  const callbacks = await eventually(async () => {
    const all = await received(virtualAccountId);
    return all.length >= 2 ? all : undefined;
  });
  expect(callbacks.map(({ body }) => (body['tokenInfo'] as { tokenStatus: string }).tokenStatus)).toEqual([
    'SUSPENDED',
    'ACTIVE',
  ]);

  const told = await eventually(async () => {
    const { data } = await graph(
      world,
      `query Life($id: ID!) {
        virtualAccount(virtualAccountId: $id) {
          virtualAccountId state accountMasked
          merchant { merchantId name }
          agreement { agreementId status }
          transactions(first: 5) { edges { node { transactionId } } }
          timeline(first: 20) { edges { node { eventId sequence type } } }
          callbacks(first: 20) { edges { node { eventId attempts { at status result } } } }
        }
      }`,
      { id: virtualAccountId },
    );
    const account = data?.virtualAccount;
    return account?.timeline.edges.length === 4 ? account : undefined;
  });
  expect(told).toMatchObject({ state: 'DELETED', merchant: { merchantId: alpha.credentials.merchantId } });
  expect(told.accountMasked).toBe(`${account.slice(0, 6)}******${account.slice(-4)}`);
  expect(told.timeline.edges.map(({ node }: { node: { sequence: number } }) => node.sequence)).toEqual([1, 2, 3, 4]);
  expect(told.callbacks.edges).toHaveLength(2);
  expect(told.transactions.edges).toHaveLength(1);
  const ids = callbacks.map(({ headers }) => headers['webhook-id']);
  expect(told.timeline.edges.map(({ node }: { node: { eventId: string } }) => node.eventId)).toEqual(
    expect.arrayContaining(ids),
  );
});

test('the same card again is the same account; after its deletion it is a new one', async () => {
  const same = card();
  const [first, again] = [await alpha.createToken(same), await alpha.createToken(same)];
  expect(again.body.virtualAccountId).toBe(first.body.virtualAccountId);
  expect(again.body.encryptedData).not.toBe(first.body.encryptedData);
  expect(await alpha.open(again.body.encryptedData)).toEqual(await alpha.open(first.body.encryptedData));
  await alpha.deleteToken(first.body.virtualAccountId);
  const anew = await alpha.createToken(same);
  expect(anew.status).toBe(201);
  expect(anew.body.virtualAccountId).not.toBe(first.body.virtualAccountId);
});

test('another tenant sees nothing: foreign looks like absent, foreign identifiers are refused', async () => {
  const { body } = await alpha.createToken(card());
  const foreign = await beta.createTransaction(body.virtualAccountId);
  const absent = await beta.createTransaction(newId());
  expect([foreign.status, absent.status]).toEqual([404, 404]);
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...absent.body, requestId: '' });
  const { acquirerId, providerId, pspId } = alpha.credentials;
  const borrowed = await beta.createToken(card(), {
    'X-Acquirer-ID': acquirerId,
    'X-Provider-ID': providerId,
    'X-PSP-ID': pspId,
  });
  expect(borrowed.status).toBe(403);
});
