// A card token comes back with its cryptogram: once per purpose, for its own tenant, while its account is active (tokenization interface, cryptogram; payment service, PaymentWithToken).
import { idempotencyKeptMs } from '../../subgraphs/shared/idempotency/idempotency-record';
import { newId } from '../../subgraphs/shared/ids';
import { create, createdAccount, issuer, open, remove, transact } from './calls';
import { newCard, openWorld, type Tenant, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** A token of that tenant's with a fresh cryptogram. */
async function paid(tenant: Tenant, account?: string) {
  const made = await createdAccount(world, tenant, account ? { account } : {});
  const cryptogram = await freshCryptogram(tenant, made.id);
  return { ...made, cryptogram };
}

async function freshCryptogram(tenant: Tenant, id: string): Promise<string> {
  const { encryptedData } = await transact(world, tenant, id);
  return (await open(tenant, encryptedData)).cryptogram ?? '';
}

type Redeemed = Parameters<World['tokenization']['redeemCryptogram']>[0];

/** Pays what `transact` asks credentials for. */
const redeem = (token: string, cryptogram: string, more: Partial<Redeemed> = {}) =>
  world.tokenization.redeemCryptogram({
    environment: 'sandbox',
    accountId: 'alpha',
    merchantId: world.alpha.merchantId,
    usedFor: newId(),
    againWithinMs: null,
    token,
    cryptogram,
    amountMinor: 1_000n,
    currency: 'EUR',
    ...more,
  });

describe('redeeming', () => {
  it('gives what the acquirer needs, and the mask of the card behind it', async () => {
    const account = newCard();
    const { id, token, tokenExpiry, cryptogram } = await paid(world.alpha, account);
    expect(await redeem(token, cryptogram)).toEqual({
      number: token,
      expiry: `${tokenExpiry.slice(0, 2)}/${tokenExpiry.slice(-2)}`,
      virtualAccountId: id,
      accountMasked: expect.stringMatching(new RegExp(`^${account.slice(0, 6)}\\*+${account.slice(-4)}$`)),
    });
  });

  it('asks about the test card where it is one', async () => {
    const { token, cryptogram } = await paid(world.alpha, '4000000000000002');
    expect((await redeem(token, cryptogram))?.number).toBe('4000000000000002');
  });

  it('works once, and again for the same purpose alone', async () => {
    const { id, token, cryptogram } = await paid(world.alpha);
    const usedFor = newId();
    expect(await redeem(token, cryptogram, { usedFor })).not.toBeNull();
    expect(await redeem(token, cryptogram, { usedFor })).not.toBeNull();
    expect(await redeem(token, cryptogram)).toBeNull();
    expect(await redeem(token, await freshCryptogram(world.alpha, id))).not.toBeNull();
  });

  it.each<[string, () => Partial<Redeemed>]>([
    ['more', () => ({ amountMinor: 999_999n })],
    ['less', () => ({ amountMinor: 999n })],
    ['nothing', () => ({ amountMinor: 0n })],
    ['no amount yet', () => ({ amountMinor: null })],
    ['another currency', () => ({ currency: 'SEK' })],
    ['no currency at all', () => ({ currency: 'XXY' })],
    ['another merchant', () => ({ merchantId: world.beta.merchantId })],
  ])('is refused for %s, and stays good for its own payment', async (_, other) => {
    const { token, cryptogram } = await paid(world.alpha);
    expect(await redeem(token, cryptogram, other())).toBeNull();
    expect(await redeem(token, cryptogram)).not.toBeNull();
    expect(await redeem(token, cryptogram, other())).toBeNull();
  });

  it('is refused a quarter of an hour after it was made, but for a payment that had begun', async () => {
    const [begun, late] = [await paid(world.alpha), await paid(world.alpha)];
    const usedFor = newId();
    expect(await redeem(begun.token, begun.cryptogram, { usedFor })).not.toBeNull();
    world.clock.advance(15 * 60_000);
    expect(await redeem(late.token, late.cryptogram)).toBeNull();
    expect(await redeem(begun.token, begun.cryptogram)).toBeNull();
    expect(await redeem(begun.token, begun.cryptogram, { usedFor })).not.toBeNull();
  });

  it('may be asked for again under a key while that is kept, and not by the request that uses the key again', async () => {
    const { token, cryptogram } = await paid(world.alpha);
    const underKey = { usedFor: newId(), againWithinMs: idempotencyKeptMs };
    expect(await redeem(token, cryptogram, underKey)).not.toBeNull();
    world.clock.advance(idempotencyKeptMs - 1);
    expect(await redeem(token, cryptogram, underKey)).not.toBeNull();
    world.clock.advance(1);
    expect(await redeem(token, cryptogram, underKey)).toBeNull();
  });

  it('of many at once one purpose wins', async () => {
    const { token, cryptogram } = await paid(world.alpha);
    const answers = await Promise.all(Array.from({ length: 16 }, () => redeem(token, cryptogram)));
    expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
  });

  it("is refused for another tenant, who does not spend the owner's cryptogram", async () => {
    const { token, cryptogram } = await paid(world.alpha);
    expect(await redeem(token, cryptogram, { accountId: 'beta' })).toBeNull();
    expect(await redeem(token, cryptogram)).not.toBeNull();
  });

  it('needs the cryptogram of that very token', async () => {
    const [one, other] = [await paid(world.alpha), await paid(world.alpha)];
    const forged = Buffer.from(one.cryptogram, 'base64');
    forged[19] = (forged[19] ?? 0) ^ 1;
    for (const cryptogram of [
      other.cryptogram,
      forged.toString('base64'),
      Buffer.alloc(20).toString('base64'),
      '',
      'x',
    ])
      expect([cryptogram, await redeem(one.token, cryptogram)]).toEqual([cryptogram, null]);
    expect(await redeem('4895370000000000', one.cryptogram)).toBeNull();
    expect(await redeem(one.token, one.cryptogram)).not.toBeNull();
  });

  it.each([
    ['suspended', (id: string) => issuer(world, id, 'SUSPEND')],
    ['deleted', (id: string) => remove(world, world.alpha, id)],
  ])('is refused while the account is %s', async (_, change) => {
    const { id, token, cryptogram } = await paid(world.alpha);
    await change(id);
    expect(await redeem(token, cryptogram)).toBeNull();
  });

  it('a card that was deleted and tokenized again pays, by the account that it has now', async () => {
    const account = newCard();
    const former = await paid(world.alpha, account);
    await remove(world, world.alpha, former.id);
    const made = await createdAccount(world, world.alpha, { account });
    expect([made.token, made.id === former.id]).toEqual([former.token, false]);
    // With few others the database would find it by something else than its token.
    for (let others = 0; others < 15; others += 1) await createdAccount(world, world.alpha);
    expect(await redeem(made.token, former.cryptogram)).toBeNull();
    const redeemed = await redeem(made.token, await freshCryptogram(world.alpha, made.id));
    expect(redeemed?.virtualAccountId).toBe(made.id);
  });

  it('a suspended account pays again when it was resumed', async () => {
    const { id, token, cryptogram } = await paid(world.alpha);
    await issuer(world, id, 'SUSPEND');
    await issuer(world, id, 'RESUME');
    expect(await redeem(token, cryptogram)).not.toBeNull();
  });

  it('stores neither token nor cryptogram in the clear', async () => {
    const { token, cryptogram } = await paid(world.alpha);
    await redeem(token, cryptogram);
    const stored = await world.stores.connection
      .collection('card_transactions')
      .find({ spentOn: { $exists: true } })
      .toArray();
    expect(stored.length).toBeGreaterThan(0);
    const text = JSON.stringify(stored);
    expect([text.includes(token), text.includes(cryptogram)]).toEqual([false, false]);
  });
});

test('a fresh account without a transaction has nothing to pay with', async () => {
  const { created } = await create(world, world.alpha);
  const { token } = await open(world.alpha, created?.encryptedData ?? '');
  expect(await redeem(token, Buffer.alloc(20, 1).toString('base64'))).toBeNull();
});
