// The whole order of checks over the running program (decision register 2.1-B): whatever two things are wrong at once, the earlier check answers.
import { newId } from '../../subgraphs/shared/ids';
import { accountExpiry } from '../support/expiry';
import { type Card, freshCardNumber, type Partner, partnerOf, sandboxCall } from '../support/partner';
import { sharedWorld, type World } from '../support/world';

interface Attempt {
  headers: Record<string, string>;
  virtualAccountId: string;
  merchantId: string;
  card: Card;
  isSealedToStranger: boolean;
  body: object | string | null;
  currencyCode: string;
}

interface Fault {
  name: string;
  answer: [status: number, errorCode?: string];
  change: Partial<Attempt> | ((attempt: Attempt) => Partial<Attempt>);
}

const edge: Fault[] = [
  { name: 'size', answer: [413], change: { body: `{"x":"${'y'.repeat(20_000)}"}` } },
  {
    name: 'credential',
    answer: [401],
    change: ({ headers }) => ({ headers: { ...headers, Authorization: 'Bearer nobody' } }),
  },
  { name: 'scope', answer: [403], change: {} },
  {
    name: 'header format',
    answer: [400, 'MTS-1614'],
    change: ({ headers }) => ({ headers: { ...headers, 'X-PSP-ID': 'not_one' } }),
  },
  {
    name: 'ownership',
    answer: [403],
    change: ({ headers }) => ({ headers: { ...headers, 'X-Acquirer-ID': 'somebody-else' } }),
  },
  { name: 'shape', answer: [400, 'MTS-1614'], change: { body: { merchantInfo: {} } } },
];
const agreement: Fault = { name: 'agreement', answer: [400, 'MTS-1611'], change: { merchantId: 'nobody' } };
const card = (change: Partial<Card>) => (attempt: Attempt) => ({ card: { ...attempt.card, ...change } });

const ofToken: Fault[] = [
  ...edge,
  agreement,
  { name: 'JWE', answer: [400, 'MTS-1617'], change: { isSealedToStranger: true } },
  { name: 'plaintext format', answer: [400, 'MTS-1614'], change: card({ accountExpiry: '132031' }) },
  { name: 'plaintext data', answer: [400, 'MTS-1616'], change: card({ accountExpiry: '012020' }) },
  { name: 'card range', answer: [400, 'MTS-1612'], change: card({ account: '378282246310005', cvv: '1234' }) },
  {
    name: 'token service',
    answer: [400, 'MTS-1619'],
    change: (attempt) =>
      attempt.card.account === '378282246310005' ? {} : card({ account: '6011111111111117' })(attempt),
  },
];

const ofTransaction: Fault[] = [
  ...edge,
  { name: 'resource', answer: [404], change: { virtualAccountId: newId() } },
  agreement,
  { name: 'data', answer: [400, 'MTS-1616'], change: { currencyCode: '000' } },
];

function pairsOf(faults: Fault[]): { title: string; first: Fault; second: Fault | null }[] {
  return faults.flatMap((first, index) => [
    { title: `${first.name} alone`, first, second: null },
    ...faults.slice(index + 1).map((second) => ({ title: `${first.name} before ${second.name}`, first, second })),
  ]);
}

describe('order of checks', () => {
  let world: World;
  let partner: Partner;
  let withoutScope: Partner;
  let suspended: string;
  let active: string;
  let transactionDateTime: string;

  beforeAll(async () => {
    world = await sharedWorld();
    [partner, withoutScope] = await Promise.all([
      partnerOf(world, 'alpha'),
      partnerOf(world, 'alpha', 'mts:lifecycle'),
    ]);
    [active, suspended] = await Promise.all([newAccount(), newAccount()]);
    await sandboxCall(world, 'POST', `/sandbox/virtual-accounts/${suspended}/events`, { event: 'SUSPEND' });
    const { body } = await sandboxCall(world, 'GET', '/sandbox/clock');
    transactionDateTime = new Date(body.now).toISOString().replace(/\D/g, '').slice(0, 14);
  });
  afterAll(() => world?.stop());

  async function newAccount(): Promise<string> {
    return (await partner.createToken({ account: freshCardNumber(), accountExpiry })).body.virtualAccountId;
  }

  function attemptWith({ first, second }: { first: Fault; second: Fault | null }): Attempt {
    const faults = second ? [second, first] : [first];
    const isNarrow = faults.some(({ name }) => name === 'scope');
    const good: Attempt = {
      headers: (isNarrow ? withoutScope : partner).headers(),
      virtualAccountId: active,
      merchantId: partner.credentials.merchantId,
      card: { account: freshCardNumber(), accountExpiry, cvv: '123' },
      isSealedToStranger: false,
      body: null,
      currencyCode: '978',
    };
    let attempt = good;
    for (const { change } of faults) {
      const changed = typeof change === 'function' ? change(attempt) : change;
      attempt = { ...attempt, ...changed };
    }
    return attempt;
  }

  const send = (path: string, attempt: Attempt, body: object) =>
    partner.call('POST', path, attempt.body ?? body, { ...attempt.headers, 'Content-Type': 'application/json' });

  it.each(pairsOf(ofToken))('create token: $title', async (pair) => {
    const attempt = attemptWith(pair);
    const sealed = await partner.seal(attempt.card);
    const stranger = Buffer.from('{"alg":"RSA-OAEP-256","enc":"A256GCM","kid":"nobody"}').toString('base64url');
    const encryptedData = attempt.isSealedToStranger ? sealed.replace(/^[^.]+/, stranger) : sealed;
    const answer = await send('/virtual-accounts/token', attempt, {
      merchantInfo: { merchantId: attempt.merchantId },
      accountInfo: { encryptedData },
    });
    expect([answer.status, answer.body.errorCode]).toEqual([pair.first.answer[0], pair.first.answer[1]]);
  });

  it.each(pairsOf(ofTransaction))('create transaction: $title', async (pair) => {
    const attempt = attemptWith(pair);
    const answer = await transact(attempt);
    expect([answer.status, answer.body.errorCode]).toEqual([pair.first.answer[0], pair.first.answer[1]]);
  });

  it.each(ofTransaction)('create transaction: $name before the token service', async (fault) => {
    const attempt = attemptWith({ first: fault, second: null });
    const id = attempt.virtualAccountId === active ? suspended : attempt.virtualAccountId;
    const answer = await transact({ ...attempt, virtualAccountId: id });
    expect([answer.status, answer.body.errorCode]).toEqual([fault.answer[0], fault.answer[1]]);
  });

  function transact(attempt: Attempt) {
    const { virtualAccountId, merchantId, currencyCode } = attempt;
    return send(`/virtual-accounts/${virtualAccountId}/transaction`, attempt, {
      merchantInfo: { merchantId },
      transactionInfo: { transactionId: newId(), transactionDateTime, amount: '100', currencyCode },
    });
  }
});
