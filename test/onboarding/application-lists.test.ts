// Applications as staff look for them: those that have waited longest first, and how many stand where.
import { createApplicationRepository } from '../../subgraphs/onboarding/applications/application.repository';
import { onboardingStatuses } from '../../subgraphs/shared/vocabulary/onboarding-status';
import { staff } from '../gateway/fixture';
import { openStores, type Stores } from '../support/stores';

interface Row {
  _id: string;
  ordinal: number;
  status: string;
}

const rows = Array.from({ length: 25 }, (_, index) => ({
  _id: String(index + 1),
  ordinal: index + 1,
  environment: 'sandbox',
  accountId: index % 2 === 0 ? 'alpha' : 'beta',
  isLive: false,
  status: index % 3 === 0 ? 'PROCESSING' : 'INITIATED',
}));

let stores: Stores;
let applications: ReturnType<typeof createApplicationRepository>;
beforeAll(async () => {
  stores = await openStores();
  applications = createApplicationRepository(stores.connection);
  await applications.ensureIndexes();
  await stores.connection
    .collection<Row>('onboarding_applications')
    .insertMany(rows, { bypassDocumentValidation: true });
});
afterAll(() => stores?.close());

test.each([true, false])('walks all that wait for approval, oldest first: %s', async (isOldestFirst) => {
  const found: string[] = [];
  for (let after: number | null = null, more = true; more; ) {
    const page = await applications.list(staff, { status: 'PROCESSING' }, { size: 4, after, isOldestFirst });
    found.push(...page.items.map(({ applicationId }) => applicationId));
    after = Number(found.at(-1));
    more = page.hasNextPage;
  }
  const waiting = rows.filter(({ status }) => status === 'PROCESSING').map(({ _id }) => _id);
  expect(found).toEqual(isOldestFirst ? waiting : waiting.toReversed());
});

test('counts every point, for an account its own', async () => {
  for (const accountId of [null, 'alpha']) {
    const own = rows.filter((row) => accountId === null || row.accountId === accountId);
    const expected = onboardingStatuses.map((status) => ({
      status,
      total: { value: own.filter((row) => row.status === status).length, isExact: true },
    }));
    expect(await applications.countByStatus({ ...staff, accountId })).toEqual(expected);
  }
});
