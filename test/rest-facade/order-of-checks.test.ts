// The fixed order of checks (decision register 2.1-B): whatever two things are wrong at once, the earlier check answers.
import { type Facade, goodBodies, jwe, refusing, startFacade, virtualAccountId } from './fixture';

interface Attempt {
  headers: Record<string, string | null>;
  body: Record<string, unknown> | string;
  path: string;
}

interface Fault {
  name: string;
  status: number;
  errorCode?: string;
  apply(attempt: Attempt): Attempt;
}

const path = `/virtual-accounts/${virtualAccountId}/transaction`;

/** In the order in which they must be noticed. */
const faults: Fault[] = [
  {
    name: 'body over 16 KiB',
    status: 413,
    apply: (attempt) => ({ ...attempt, body: `{"padding":"${'x'.repeat(17_000)}"}` }),
  },
  { name: 'unknown access token', status: 401, apply: withHeader('Authorization', 'Bearer unknown') },
  {
    name: 'over the rate',
    status: 429,
    apply: (attempt) => {
      const isWithoutScope = attempt.headers['Authorization'] === 'Bearer noScope';
      return withHeader('Authorization', isWithoutScope ? 'Bearer throttledNoScope' : 'Bearer throttled')(attempt);
    },
  },
  { name: 'without the scope', status: 403, apply: withHeader('Authorization', 'Bearer noScope') },
  { name: 'identifier header missing', status: 400, errorCode: 'MTS-1614', apply: withHeader('X-Provider-ID', null) },
  { name: 'identifiers of somebody else', status: 403, apply: withHeader('X-PSP-ID', 'PSP-2') },
  {
    name: 'body of the wrong shape',
    status: 400,
    errorCode: 'MTS-1614',
    apply: (attempt) => ({ ...attempt, body: { merchantInfo: { merchantId: 7 } } }),
  },
  {
    name: 'path that is no id',
    status: 404,
    apply: (attempt) => ({ ...attempt, path: '/virtual-accounts/nothing/transaction' }),
  },
];

function withHeader(name: string, value: string | null): Fault['apply'] {
  return (attempt) => ({ ...attempt, headers: { ...attempt.headers, [name]: value } });
}

const pairs = faults.flatMap((first, index) => faults.slice(index + 1).map((second) => ({ first, second })));

describe('order of checks', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await startFacade({ graph: refusing('agreementInactive') });
  });
  afterAll(() => facade.stop());

  async function attempt(applied: Fault[]) {
    const good: Attempt = { headers: {}, body: goodBodies.transaction, path };
    const made = applied.reduce((attempted, fault) => fault.apply(attempted), good);
    return facade.inbound('POST', made.path, {
      headers: { 'Content-Type': 'application/json', ...made.headers },
      body: made.body,
    });
  }

  it.each(faults)('$name alone is $status', async (fault) => {
    const answer = await attempt([fault]);
    expect([answer.status, answer.body.errorCode]).toEqual([fault.status, fault.errorCode]);
    expect(facade.asked).toEqual([]);
  });

  it.each(pairs.map((pair) => ({ ...pair, title: `${pair.first.name} wins over ${pair.second.name}` })))(
    '$title',
    async ({ first, second }) => {
      // The later fault is made first, so that an earlier one can build on it where both touch the same thing.
      const answer = await attempt([second, first]);
      expect([answer.status, answer.body.errorCode]).toEqual([first.status, first.errorCode]);
      expect(facade.asked).toEqual([]);
    },
  );

  it('asks the graph when nothing is wrong at the edge', async () => {
    const answer = await attempt([]);
    expect([answer.status, answer.body.errorCode]).toEqual([400, 'MTS-1611']);
    expect(facade.asked).toHaveLength(1);
  });

  it('counts an over-long encryptedData as size, before the credential', async () => {
    const encryptedData = `${jwe.slice(0, -22)}${'A'.repeat(8_200)}`;
    const answer = await facade.inbound('POST', '/virtual-accounts/token', {
      headers: { Authorization: null },
      body: { ...goodBodies.token, accountInfo: { encryptedData } },
    });
    expect(answer.status).toBe(413);
  });
});
