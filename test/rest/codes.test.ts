// Every status and MTS code of the tokenization interface over the running program, each by an input that can be written down (decision register 2.1-B, 2.6).
import { newId } from '../../subgraphs/shared/ids';
import { accountExpiry } from '../support/expiry';
import { type Card, freshCardNumber, type Partner, partnerOf, sandboxCall } from '../support/partner';
import { sharedWorld, type World } from '../support/world';

const good = (): Card => ({ account: freshCardNumber(), accountExpiry, cvv: '123', name: 'Ada Lovelace' });

describe('codes of the tokenization interface', () => {
  let world: World;
  let alpha: Partner;
  let beta: Partner;
  let virtualAccountId: string;

  beforeAll(async () => {
    world = await sharedWorld();
    [alpha, beta] = await Promise.all([partnerOf(world, 'alpha'), partnerOf(world, 'beta')]);
    virtualAccountId = (await alpha.createToken(good())).body.virtualAccountId;
  });
  afterAll(() => world?.stop());

  describe('create token', () => {
    it('201: a virtual account, and a token that the partner alone can open', async () => {
      const answer = await alpha.createToken(good());
      expect([answer.status, answer.body.virtualAccountState]).toEqual([201, 'ACTIVE']);
      const result = await alpha.open(answer.body.encryptedData);
      expect(Object.keys(result)).toEqual(['token', 'tokenExpiry']);
      expect(result['token']).toMatch(/^\d{16}$/);
      await expect(beta.open(answer.body.encryptedData)).rejects.toThrow();
    });

    it.each<[string, string, Partial<Card>]>([
      ['letters in the number', 'MTS-1614', { account: '4242abcd42424242' }],
      ['eleven digits', 'MTS-1614', { account: '42424242424' }],
      ['twenty digits', 'MTS-1614', { account: '42424242424242424242' }],
      ['month 13', 'MTS-1614', { accountExpiry: '132031' }],
      ['month 00', 'MTS-1614', { accountExpiry: '002031' }],
      ['MMYY', 'MTS-1614', { accountExpiry: '1231' }],
      ['a name of one letter', 'MTS-1614', { name: 'A' }],
      ['a name of 46 letters', 'MTS-1614', { name: 'A'.repeat(46) }],
      ['digits in the name', 'MTS-1614', { name: '4242' }],
      ['letters in the cvv', 'MTS-1614', { cvv: '12a' }],
      ['a number that fails the Luhn check', 'MTS-1616', { account: '4242424242424241' }],
      ['an expired card', 'MTS-1616', { accountExpiry: '012020' }],
      ['an expiry more than 20 years ahead', 'MTS-1616', { accountExpiry: '122099' }],
      ['a card outside the tokenizable ranges', 'MTS-1612', { account: '378282246310005', cvv: '1234' }],
      ['a card that the token service refuses', 'MTS-1619', { account: '6011111111111117' }],
      ['a card that makes the token service fail', 'MTS-1618', { account: '4000000000000341' }],
    ])('400 for %s: %s', async (_name, errorCode, change) => {
      const answer = await alpha.createToken({ ...good(), ...change });
      expect([answer.status, answer.body.errorCode]).toEqual([400, errorCode]);
      expect(answer.text).not.toContain(change.account ?? '----');
    });

    it.each<[string, unknown]>([
      ['no object', 'text'],
      ['an array', []],
      ['null', null],
    ])('400 MTS-1617 for plaintext that is %s', async (_name, plaintext) => {
      const accountInfo = { encryptedData: await alpha.seal(plaintext) };
      const answer = await alpha.call('POST', '/virtual-accounts/token', {
        merchantInfo: { merchantId: alpha.credentials.merchantId },
        accountInfo,
      });
      expect([answer.status, answer.body.errorCode]).toEqual([400, 'MTS-1617']);
    });

    it.each<[string, (segments: string[]) => string[]]>([
      ['an unknown kid', ([, ...rest]) => [header({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'nobody' }), ...rest]],
      ['no kid', ([, ...rest]) => [header({ alg: 'RSA-OAEP-256', enc: 'A256GCM' }), ...rest]],
      ['RSA1_5', ([, ...rest]) => [header({ alg: 'RSA1_5', enc: 'A256GCM', kid: 'x' }), ...rest]],
      ['a changed ciphertext', ([a = '', b = '', c = '', d = '', e = '']) => [a, b, c, flip(d), e]],
      ['a changed tag', ([a = '', b = '', c = '', d = '', e = '']) => [a, b, c, d, flip(e)]],
    ])('400 MTS-1617 for %s, always in the same words', async (_name, change) => {
      const encryptedData = change((await alpha.seal(good())).split('.')).join('.');
      const answer = await alpha.call('POST', '/virtual-accounts/token', {
        merchantInfo: { merchantId: alpha.credentials.merchantId },
        accountInfo: { encryptedData },
      });
      expect([answer.status, answer.body.errorCode]).toEqual([400, 'MTS-1617']);
      expect(answer.body.message).toBe('The encrypted data cannot be processed.');
    });

    it('400 MTS-1611 for a merchant that is not enrolled', async () => {
      const answer = await alpha.call('POST', '/virtual-accounts/token', {
        merchantInfo: { merchantId: 'nobody' },
        accountInfo: { encryptedData: await alpha.seal(good()) },
      });
      expect([answer.status, answer.body.errorCode]).toEqual([400, 'MTS-1611']);
    });

    it('400 MTS-1611 for the merchant of another tenant, as for one that does not exist', async () => {
      const body = (merchantId: string, encryptedData: string) => ({
        merchantInfo: { merchantId },
        accountInfo: { encryptedData },
      });
      const encryptedData = await alpha.seal(good());
      const foreign = await alpha.call(
        'POST',
        '/virtual-accounts/token',
        body(beta.credentials.merchantId, encryptedData),
      );
      const absent = await alpha.call('POST', '/virtual-accounts/token', body('nobody', encryptedData));
      expect([foreign.status, { ...foreign.body, requestId: '' }]).toEqual([400, { ...absent.body, requestId: '' }]);
    });

    it('401 without an access token, 403 without the scope, 403 under the identifiers of another', async () => {
      expect((await alpha.call('POST', '/virtual-accounts/token', {}, { Authorization: 'Bearer nobody' })).status).toBe(
        401,
      );
      const narrow = await partnerOf(world, 'alpha', 'mts:lifecycle');
      expect((await narrow.createToken(good())).status).toBe(403);
      expect((await alpha.createToken(good(), { 'X-Acquirer-ID': beta.credentials.acquirerId })).status).toBe(403);
    });
  });

  describe('create transaction', () => {
    it('201: token, expiry and cryptogram', async () => {
      const answer = await alpha.createTransaction(virtualAccountId);
      expect(answer.status).toBe(201);
      const result = await alpha.open(answer.body.encryptedData);
      expect(Object.keys(result)).toEqual(['token', 'tokenExpiry', 'cryptogram']);
      expect(Buffer.from(result['cryptogram'] ?? '', 'base64')).toHaveLength(20);
    });

    it.each([
      ['an unknown currency', { currencyCode: '000' }],
      ['the 31st of February', { transactionDateTime: '20260231120000' }],
      ['25 hours', { transactionDateTime: '20261121250000' }],
      ['a time out of the window behind', { transactionDateTime: '20200101000000' }],
      ['a time out of the window ahead', { transactionDateTime: '20990101000000' }],
    ])('400 MTS-1616 for %s', async (_name, info) => {
      const answer = await alpha.createTransaction(virtualAccountId, info);
      expect([answer.status, answer.body.errorCode]).toEqual([400, 'MTS-1616']);
    });

    it('returns the stored credentials for the same transaction, and MTS-1616 when its content differs', async () => {
      const transactionId = newId();
      const transactionDateTime = await nowText(world);
      const first = await alpha.createTransaction(virtualAccountId, { transactionId, transactionDateTime });
      const again = await alpha.createTransaction(virtualAccountId, { transactionId, transactionDateTime });
      expect([again.status, again.body]).toEqual([201, first.body]);
      const other = await alpha.createTransaction(virtualAccountId, {
        transactionId,
        transactionDateTime,
        amount: '1',
      });
      expect([other.status, other.body.errorCode]).toEqual([400, 'MTS-1616']);
    });

    it('400 MTS-1611 for a merchant that is not enrolled', async () => {
      const answer = await alpha.call('POST', `/virtual-accounts/${virtualAccountId}/transaction`, {
        merchantInfo: { merchantId: 'nobody' },
        transactionInfo: {
          transactionId: newId(),
          transactionDateTime: await nowText(world),
          amount: '1',
          currencyCode: '978',
        },
      });
      expect([answer.status, answer.body.errorCode]).toEqual([400, 'MTS-1611']);
    });

    it('400 MTS-1619 while the account is suspended', async () => {
      const { body } = await alpha.createToken(good());
      await sandboxCall(world, 'POST', `/sandbox/virtual-accounts/${body.virtualAccountId}/events`, {
        event: 'SUSPEND',
      });
      const answer = await alpha.createTransaction(body.virtualAccountId);
      expect([answer.status, answer.body.errorCode]).toEqual([400, 'MTS-1619']);
    });

    it('404 for an absent, a foreign, a deleted and a malformed account, all alike', async () => {
      const foreign = (await beta.createToken(good())).body.virtualAccountId;
      const deleted = (await alpha.createToken(good())).body.virtualAccountId;
      await alpha.deleteToken(deleted);
      const answers = [];
      for (const id of [newId(), foreign, deleted, 'nothing']) answers.push(await alpha.createTransaction(id));
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.message}`))).toEqual(
        new Set(['404 No such resource.']),
      );
    });
  });

  describe('update token state', () => {
    it('204, and 204 again; then the account reads DELETED', async () => {
      const { body } = await alpha.createToken(good());
      expect((await alpha.deleteToken(body.virtualAccountId)).status).toBe(204);
      expect((await alpha.deleteToken(body.virtualAccountId)).status).toBe(204);
      expect((await alpha.read(body.virtualAccountId)).body.virtualAccountState).toBe('DELETED');
    });

    it.each([
      ['another lifecycle action', { tokenState: 'SUSPEND', reasonCode: '1023' }, 'MTS-1616'],
      ['the action in small letters', { tokenState: 'delete', reasonCode: '1023' }, 'MTS-1616'],
      ['a reason out of the list', { tokenState: 'DELETE', reasonCode: '1022' }, 'MTS-1616'],
      ['a reason of three digits', { tokenState: 'DELETE', reasonCode: '102' }, 'MTS-1614'],
    ])('400 for %s', async (_name, body, errorCode) => {
      const answer = await alpha.deleteToken(virtualAccountId, body);
      expect([answer.status, answer.body.errorCode]).toEqual([400, errorCode]);
    });

    it.each(['1023', '1024', '1025', '1026', '1027'])('takes reason %s', async (reasonCode) => {
      const { body } = await alpha.createToken(good());
      expect((await alpha.deleteToken(body.virtualAccountId, { tokenState: 'DELETE', reasonCode })).status).toBe(204);
    });

    it('404 for the account of another tenant, which stays as it is', async () => {
      const { body } = await beta.createToken(good());
      expect((await alpha.deleteToken(body.virtualAccountId)).status).toBe(404);
      expect((await beta.read(body.virtualAccountId)).body.virtualAccountState).toBe('ACTIVE');
    });
  });

  describe('read', () => {
    it('404 for the account of another tenant', async () => {
      expect((await beta.read(virtualAccountId)).status).toBe(404);
    });

    it('shows the PAR once the issuer has assigned one', async () => {
      const { body } = await alpha.createToken(good());
      await sandboxCall(world, 'POST', `/sandbox/virtual-accounts/${body.virtualAccountId}/events`, {
        event: 'ASSIGN_PAR',
      });
      expect((await alpha.read(body.virtualAccountId)).body.par).toMatch(/^[0-9A-Z]{29}$/);
    });
  });
});

function header(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Another canonical segment of the same length. */
function flip(segment: string): string {
  const bytes = Buffer.from(segment, 'base64url');
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  return bytes.toString('base64url');
}

async function nowText(world: World): Promise<string> {
  const { body } = await sandboxCall(world, 'GET', '/sandbox/clock');
  return new Date(body.now).toISOString().replace(/\D/g, '').slice(0, 14);
}
