// The sandbox token service and its tables: numbers, ranges, references, one-time cryptograms, and what it keeps (tokenization interface).
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { manualClock } from '../../subgraphs/shared/clock';
import { createVault } from '../../subgraphs/shared/crypto/vault';
import { newId, newOrderedId } from '../../subgraphs/shared/ids';
import { luhnDigit, passesLuhn } from '../../subgraphs/shared/luhn';
import { testCards } from '../../subgraphs/shared/test-cards';
import { createSandboxTokenRepository } from '../../subgraphs/tokenization/sandbox/token.repository';
import { createSandboxTokenService } from '../../subgraphs/tokenization/sandbox/token.service';
import {
  newTokenNumber,
  printPar,
  replacementCard,
  tokenRanges,
} from '../../subgraphs/tokenization/sandbox/token-number';
import { AccountData } from '../../subgraphs/tokenization/token-service/account-data';
import { binSchemes, binTable, schemeOf } from '../../subgraphs/tokenization/token-service/bin-table';
import type { SimulatedTokenService } from '../../subgraphs/tokenization/token-service/token-service';
import { recent } from '../../subgraphs/tokenization/tokens/recent';
import fc from '../support/properties';
import { openStores, type Stores } from '../support/stores';
import { keyringFor } from '../support/vault';
import { create, createdAccount, run, transact } from './calls';
import { newCard, openWorld, start, type World } from './world';

describe('tables', () => {
  const rows: [string, string | null][] = [
    ['4000000000000002', 'VISA'],
    ['3999999999999', null],
    ['5000000000000009', null],
    ['5100000000000008', 'MASTERCARD'],
    ['5599999999999997', 'MASTERCARD'],
    ['5600000000000003', null],
    ['2220990000000000', null],
    ['2221000000000000', 'MASTERCARD'],
    ['2720990000000000', 'MASTERCARD'],
    ['2721000000000000', null],
    ['6011000000000000', 'DISCOVER'],
    ['6010990000000000', null],
    ['6012000000000000', null],
    ['378282246310005', null],
  ];
  test.each(rows)('%s is %s', (number, scheme) => expect(schemeOf(number)).toBe(scheme));

  test('no token range meets a card range', () => {
    for (const scheme of binSchemes) {
      for (let count = 0; count < 200; count += 1) {
        const number = newTokenNumber(scheme);
        expect(number).toMatch(/^\d{16}$/);
        expect(passesLuhn(number)).toBe(true);
        expect(schemeOf(number)).toBeNull();
        expect(/^3[47]/.test(number)).toBe(false);
      }
      const overlapping = binTable.filter(({ from, to }) => {
        const leading = tokenRanges[scheme].slice(0, from.length);
        return from.slice(0, leading.length) <= leading && leading <= to.slice(0, leading.length);
      });
      expect(overlapping).toEqual([]);
    }
  });

  test('every test card has a check digit that matches, and says what happens', async () => {
    for (const { number, tokenization } of testCards) {
      expect([number, passesLuhn(number)]).toEqual([number, true]);
      expect([number, schemeOf(number) === null]).toEqual([number, tokenization === 'NOT_TOKENIZABLE']);
    }
    expect(testCards.filter(({ tokenization }) => tokenization !== 'TOKENIZED').map(({ number }) => number)).toEqual([
      '378282246310005',
      '6011111111111117',
      '4000000000000341',
    ]);
  });

  test('the check digit is the only one that passes', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{11,18}$/), (digits) => {
        const passing = Array.from({ length: 10 }, (_, digit) => `${digits}${digit}`).filter(passesLuhn);
        expect(passing).toEqual([`${digits}${luhnDigit(digits)}`]);
      }),
    );
    for (const bad of ['', '0', 'a', '42424242 42424242', '４２']) expect(passesLuhn(bad)).toBe(false);
  });

  test('replacement cards stay with their issuer, account references have 29 characters', () => {
    const card = replacementCard({ firstSix: '424242', lastFour: '1111', length: 19 });
    expect([card.slice(0, 6), card.length, passesLuhn(card)]).toEqual(['424242', 19, true]);
    // One digit instead of four: chance would meet it.
    const short = { firstSix: '424242', lastFour: '7', length: 16 };
    expect(Array.from({ length: 200 }, () => replacementCard(short).at(-1))).not.toContain('7');
    expect(printPar(randomBytes(32))).toMatch(/^[A-Z0-9]{29}$/);
  });

  test('ordered ids are UUIDs and sort by time', () => {
    const ids = Array.from({ length: 100 }, newOrderedId);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const times = ids.map((id) => id.slice(0, 13));
    expect(times).toEqual(times.toSorted());
  });
});

test('recent facts: shared while in flight, absence and errors not remembered', async () => {
  const answers: (string | null | Error)[] = [null, new Error('away'), 'a', 'b'];
  let reads = 0;
  const read = recent(
    async () => {
      reads += 1;
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer ?? null;
    },
    (answer) => answer !== null,
  );
  expect(await Promise.all([read('k'), read('k')])).toEqual([null, null]);
  await expect(read('k')).rejects.toThrow('away');
  expect([await read('k'), await read('k'), await read('other')]).toEqual(['a', 'a', 'b']);
  expect(reads).toBe(4);
});

describe('the service', () => {
  let stores: Stores;
  let service: SimulatedTokenService;
  const clock = manualClock(start);
  beforeAll(async () => {
    stores = await openStores();
    const { connection } = stores;
    const vault = createVault(connection, keyringFor({ current: randomBytes(32).toString('base64'), previous: '' }));
    const tokens = createSandboxTokenRepository(connection, 'sandbox');
    service = createSandboxTokenService({ environment: 'sandbox', tokens, vault, clock, latencyMs: 0 });
    await service.ensureIndexes();
  });
  afterAll(() => stores.close());

  const order = (account: string, merchantId = 'm') => ({
    requestId: newId(),
    acquirerId: 'a',
    merchantId,
    card: new AccountData(account, '122030'),
  });

  test('the same request, and the same merchant and card, get the same token; another merchant another', async () => {
    const first = order(newCard());
    const again = { ...first, requestId: newId() };
    const token = await service.provision(first);
    expect(await service.provision(first)).toEqual(token);
    expect(await service.provision(again)).toEqual(token);
    expect((await service.provision({ ...again, merchantId: 'n' })).token).not.toBe(token.token);
    expect(await service.findProvisioning(first.requestId)).toEqual(token);
    expect(await service.findProvisioning(newId())).toBeNull();
  });

  test('a card has one account reference everywhere', async () => {
    const card = newCard();
    const odd = `${card.slice(0, -2)}`;
    const account = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']
      .map((digit) => `${odd}${digit}`)
      .map((digits) => `${digits}${luhnDigit(digits)}`)
      .find((number) => Number(number.at(-1)) % 2 === 1);
    const [a, b] = await Promise.all(
      ['m', 'n'].map((merchantId) => service.provision(order(account ?? '', merchantId))),
    );
    expect(a?.par).toMatch(/^[A-Z0-9]{29}$/);
    expect(b?.par).toBe(a?.par);
  });

  test('a token lives as long as one provisioning uses it', async () => {
    const [first, second] = [order('4242424242424242', 'x'), order('4242424242424242', 'x')];
    const { token, tokenReference } = await service.provision(first);
    await service.provision(second);
    await service.release(first.requestId);
    await service.release(first.requestId);
    expect(await service.cryptogram({ requestId: newId(), tokenReference })).toHaveLength(28);
    await service.release(second.requestId);
    await expect(service.cryptogram({ requestId: newId(), tokenReference })).rejects.toMatchObject({
      code: 'tokenServiceRefused',
    });
    expect((await service.provision(order('4242424242424242', 'x'))).token).not.toBe(token);
  });

  test('cryptograms: one per request, none for tokens that are suspended, expired or unknown', async () => {
    const { tokenReference } = await service.provision(order(newCard()));
    const requestId = newId();
    const cryptogram = await service.cryptogram({ requestId, tokenReference });
    expect(await service.cryptogram({ requestId, tokenReference })).toBe(cryptogram);
    expect(await service.cryptogram({ requestId: newId(), tokenReference })).not.toBe(cryptogram);
    await service.suspend(tokenReference);
    await expect(service.cryptogram({ requestId, tokenReference })).rejects.toMatchObject({
      code: 'tokenServiceRefused',
    });
    await service.resume(tokenReference);
    await service.cryptogram({ requestId, tokenReference });
    clock.advance(37 * 31 * 86_400_000);
    await expect(service.cryptogram({ requestId, tokenReference })).rejects.toMatchObject({
      code: 'tokenServiceRefused',
    });
    await expect(service.cryptogram({ requestId, tokenReference: newId() })).rejects.toMatchObject({
      code: 'tokenServiceRefused',
    });
    await expect(service.replaceCard(newId())).rejects.toMatchObject({ code: 'tokenServiceRefused' });
  });
});

test('account data turned into text by accident says only what it is', () => {
  const card = new AccountData('4242424242424242', '122030', '123', 'Ada');
  for (const text of [
    String(card),
    JSON.stringify({ card }),
    inspect({ card }),
    `${card}`,
    inspect(card, { depth: 9, showHidden: true }),
  ]) {
    expect(text).not.toMatch(/4242|123|Ada/);
  }
});

describe('what is kept', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  test('neither card number nor security code, name or token is in any collection', async () => {
    const account = newCard();
    const plaintext = { account, accountExpiry: '122030', cvv: '739', name: 'Canary Q. Cardholder' };
    const { id, token } = await createdAccount(world, world.alpha, { plaintext });
    await transact(world, world.alpha, id);
    await create(world, world.alpha, { plaintext: { ...plaintext, account: '6011111111111117' } });
    await create(world, world.alpha, { plaintext: { ...plaintext, account: '4000000000000341' } });
    const collections = (await world.stores.connection.db?.collections()) ?? [];
    const documents = await Promise.all(collections.map((collection) => collection.find().toArray()));
    const text = JSON.stringify(documents);
    expect(documents.flat().length).toBeGreaterThan(5);
    for (const secret of [account, token, '6011111111111117', '4000000000000341', 'Canary Q. Cardholder', '"739"']) {
      for (const spelled of [
        secret,
        Buffer.from(secret).toString('base64').replace(/=+$/, ''),
        Buffer.from(secret).toString('hex'),
      ]) {
        expect(text.includes(spelled)).toBe(false);
      }
    }
  });

  test('the table of test cards is in the graph', async () => {
    const { data } = await run<{ testCards: object[] }>(
      world,
      '{ testCards { number brand payment tokenization description } }',
      { caller: world.staff },
    );
    expect(data?.testCards).toEqual(testCards.map((card) => ({ ...card })));
  });
});
