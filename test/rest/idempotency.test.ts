// Idempotency-Key over REST (decision register 2.4-B): one effect, the stored answer for repetitions, a refusal for another request, a race with one winner.
import { newId } from '../../subgraphs/shared/ids';
import { accountExpiry } from '../support/expiry';
import { freshCardNumber, graph, type Partner, partnerOf } from '../support/partner';
import { sharedWorld, type World } from '../support/world';

describe('Idempotency-Key', () => {
  let world: World;
  let partner: Partner;

  beforeAll(async () => {
    world = await sharedWorld();
    partner = await partnerOf(world, 'alpha');
  });
  afterAll(() => world?.stop());

  const card = () => ({ account: freshCardNumber(), accountExpiry });
  const tokenBody = async (sealed = card()) => ({
    merchantInfo: { merchantId: partner.credentials.merchantId },
    accountInfo: { encryptedData: await partner.seal(sealed) },
  });
  const create = (key: string, body: object) =>
    partner.call('POST', '/virtual-accounts/token', body, { 'Idempotency-Key': key });

  it('repeats the stored answer of a creation, byte for byte', async () => {
    const [key, body] = [newId(), await tokenBody()];
    const first = await create(key, body);
    const again = await create(key, body);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it('repeats a deletion', async () => {
    const { virtualAccountId } = (await create(newId(), await tokenBody())).body;
    const key = { 'Idempotency-Key': newId() };
    expect(
      (await partner.deleteToken(virtualAccountId, undefined, key)).headers['idempotent-replayed'],
    ).toBeUndefined();
    const again = await partner.deleteToken(virtualAccountId, undefined, key);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([204, 'true']);
  });

  it.each(['another body', 'another path'])('refuses the key with %s: MTS-1616', async (difference) => {
    const { virtualAccountId } = (await create(newId(), await tokenBody())).body;
    const other = (await create(newId(), await tokenBody())).body.virtualAccountId;
    const key = { 'Idempotency-Key': newId() };
    const reasonCode = difference === 'another body' ? '1024' : '1023';
    await partner.deleteToken(virtualAccountId, undefined, key);
    const target = difference === 'another path' ? other : virtualAccountId;
    const answer = await partner.deleteToken(target, { tokenState: 'DELETE', reasonCode }, key);
    expect([answer.status, answer.body.errorCode]).toEqual([400, 'MTS-1616']);
    expect((await partner.read(other)).body.virtualAccountState).toBe('ACTIVE');
  });

  it('has a scope of its own for each route', async () => {
    const key = newId();
    const { virtualAccountId } = (await create(key, await tokenBody())).body;
    expect((await partner.deleteToken(virtualAccountId, undefined, { 'Idempotency-Key': key })).status).toBe(204);
  });

  it('belongs to one client: the same key of another does not meet it', async () => {
    const [key, body] = [newId(), await tokenBody()];
    await create(key, body);
    const beta = await partnerOf(world, 'beta');
    const answer = await beta.createToken(card(), { 'Idempotency-Key': key });
    expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  it('keeps no refusal', async () => {
    const key = newId();
    const refused = await create(key, await tokenBody({ account: '4242424242424241', accountExpiry }));
    expect(refused.body.errorCode).toBe('MTS-1616');
    const answer = await create(key, await tokenBody());
    expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  it('lets one of 32 simultaneous requests take effect; the others get its answer or 409', async () => {
    const [key, body] = [newId(), await tokenBody()];
    const answers = await Promise.all(Array.from({ length: 32 }, () => create(key, body)));
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    const ids = new Set(answers.flatMap(({ status, body: made }) => (status === 201 ? [made.virtualAccountId] : [])));
    expect(ids.size).toBe(1);
    expect(answers.filter(({ status, headers }) => status === 201 && !headers['idempotent-replayed'])).toHaveLength(1);
    expect(answers.filter(({ status, headers }) => status === 409 && !headers['retry-after'])).toEqual([]);
    const { data } = await graph(
      world,
      'query ($id: ID!) { virtualAccount(virtualAccountId: $id) { virtualAccountId state } }',
      {
        id: [...ids][0],
      },
    );
    expect(data.virtualAccount).toEqual({ virtualAccountId: [...ids][0], state: 'ACTIVE' });
  });

  it('is not X-Request-ID: the same correlation id twice is two requests', async () => {
    const headers = { 'X-Request-ID': newId() };
    const [first, second] = [await partner.createToken(card(), headers), await partner.createToken(card(), headers)];
    expect(first.body.virtualAccountId).not.toBe(second.body.virtualAccountId);
  });
});
