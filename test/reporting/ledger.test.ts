// What staff books by hand: an event, an audit record, and refusals of everything else (reporting interface; sandbox control).

import {
  bookLedgerEntry,
  type LedgerDeps,
  proposeLedgerEntry,
  proposePayoutAccount,
  setPayoutAccount,
} from '../../subgraphs/reporting/balances/ledger.service';
import { createJournalRepository } from '../../subgraphs/reporting/journal/journal.repository';
import { createDayRepository } from '../../subgraphs/reporting/payouts/day.repository';
import { createPayoutRepository } from '../../subgraphs/reporting/payouts/payout.repository';
import { reportBalances } from '../../subgraphs/reporting/reporting.service';
import { requestContext } from '../../subgraphs/shared/callers/context';
import type { NewProposal } from '../../subgraphs/shared/callers/proposal';
import { newId } from '../../subgraphs/shared/ids';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import type { NewEvent } from '../../subgraphs/shared/store/unit-of-work';
import { merchants, openReportingWorld, type ReportingWorld, start } from './reporting-world';

let world: ReportingWorld;
let deps: LedgerDeps;
const proposed: NewProposal[] = [];
const { one } = merchants;

beforeAll(async () => {
  world = await openReportingWorld();
  deps = {
    inTransaction: createCommitter(world.stores.connection).inTransaction,
    idempotent: (_context, _field, run) => run(() => []),
    clock: world.clock,
    days: createDayRepository(world.stores.connection),
    readMerchant: async (_environment, merchantId) => (merchantId === one.merchantId ? one : null),
    isPaymentOf: async (_environment, merchantId, paymentId) => merchantId === one.merchantId && paymentId === 'paid',
    journal: createJournalRepository(world.stores.connection),
    audit: (_context, change) => ({ collection: 'audit', document: { _id: newId(), ...change } }),
    propose: async (_context, proposal) => {
      proposed.push(proposal);
      return { proposalId: 'p-1' };
    },
  };
});
afterAll(() => world.close());

const staff = () => requestContext(world.staff, newId());
const nothingBeside = () => ({});
const input = {
  action: 'DEPOSIT' as const,
  merchantId: one.merchantId,
  amount: '1000',
  currency: 'EUR',
  reason: 'a reason',
};

test.each([
  ['an absent merchant', { merchantId: 'nobody' }, 'notFound'],
  ['nothing', { amount: '0' }, 'amountInvalid'],
  ['a negative deposit', { amount: '-5' }, 'amountInvalid'],
  ['a fraction', { amount: '1.5' }, 'amountInvalid'],
  ['thirteen digits', { amount: '1000000000000' }, 'amountInvalid'],
  ['words', { amount: 'ten' }, 'amountInvalid'],
  ['an unknown currency', { currency: 'ZZZ' }, 'currencyInvalid'],
  ['no reason', { reason: ' ' }, 'invalidInput'],
  ['a reason without end', { reason: 'x'.repeat(501) }, 'invalidInput'],
  ['a payment that it has not', { paymentId: 'of another' }, 'notFound'],
  ['a reference without end', { reference: 'x'.repeat(65) }, 'invalidInput'],
])('%s is refused', async (_name, change, code) => {
  const wanted = { ...input, ...change };
  await expect(bookLedgerEntry(deps, staff(), wanted, nothingBeside)).rejects.toMatchObject({ code });
  await expect(proposeLedgerEntry(deps, staff(), wanted)).rejects.toMatchObject({ code });
  expect(proposed).toEqual([]);
});

test('an account of staff is bound to sees its own merchants only', async () => {
  const foreign = requestContext({ ...world.staff, accountId: 'beta' }, newId());
  await expect(bookLedgerEntry(deps, foreign, input, nothingBeside)).rejects.toMatchObject({ code: 'notFound' });
});

test('a booking is an event and an audit record in one, and the journal has it', async () => {
  const entry = await bookLedgerEntry(
    deps,
    staff(),
    { ...input, action: 'ADJUSTMENT', amount: '-250', reference: 'case 7' },
    nothingBeside,
  );
  await world.feed();
  const { connection } = world.stores;
  const booked = await connection.collection('journal_entries').findOne({ actionId: entry.ledgerEntryId });
  expect(booked).toMatchObject({
    action: 'ADJUSTMENT',
    amountMinor: -250,
    reference: 'case 7',
    merchantId: one.merchantId,
  });
  const audited = await connection.collection('audit').findOne({ action: 'ledger.booked' });
  expect(JSON.stringify(audited)).toContain('a reason');
});

test.each([
  ['DEPOSIT', 'DEPOSIT', one, '991', '992'],
  ['DEPOSIT', 'DEPOSIT', merchants.two, '991', '992'],
  ['CHARGEBACK', 'CHARGEBACK', one, '991', '992'],
  ['CHARGEBACK', 'ADJUSTMENT', one, '-991', '-992'],
] as const)(
  'after %s to the edge, a %s for %j takes %s and refuses %s',
  async (past, action, merchant, fits, beyond) => {
    await world.empty();
    await world.commit(world.ledger(one, past, 9_007_199_254_740_000n));
    await world.feed();
    const { merchantId } = merchant;
    const all = { ...deps, readMerchant: async () => merchant };
    const refused = bookLedgerEntry(all, staff(), { ...input, action, merchantId, amount: beyond }, nothingBeside);
    await expect(refused).rejects.toMatchObject({ code: 'amountInvalid', details: { field: 'amount' } });
    await bookLedgerEntry(all, staff(), { ...input, action, merchantId, amount: fits }, nothingBeside);
    await world.feed();
    const query = { fromDate: '2026-03-01', toDate: '2026-03-01' };
    const [report] = await reportBalances({ ...all, days: deps.days } as never, world.partnerKey('alpha'), query);
    const edge = 9_007_199_254_740_991n;
    expect(report?.balances.at(-1)?.closingMinor).toBe(past === 'DEPOSIT' ? edge : -edge);
  },
);

test.each([
  ['an IBAN with a wrong check', { iban: 'DK5100400440116243' }, 'invalidData'],
  ['a BIC that is none', { bic: 'BANK' }, 'invalidData'],
])('a payout account with %s is refused', async (_name, change, code) => {
  const account = {
    merchantId: one.merchantId,
    iban: 'DK5000400440116243',
    bic: 'DABADKKK',
    reason: 'moved',
    ...change,
  };
  await expect(proposePayoutAccount(deps, staff(), account)).rejects.toMatchObject({ code });
});

/** Two ways to tell what was agreed: with the application, or by itself. */
const tellings: [string, Partial<NewEvent>][] = [
  ['onboarding.approved', {}],
  ['ledger.termsAgreed', { aggregateType: 'ledger', type: 'ledger.termsAgreed' }],
];

test.each(tellings)('payouts go where the account was when they were closed, told by %s', async (_type, told) => {
  await world.empty();
  const day = start.toISOString().slice(0, 10);
  const pay = async () => {
    await world.commit(world.operation(one, { amount: 100n }));
    await world.settle(day);
  };
  await pay();
  const bankAccount = { iban: 'NO9386011117947', swift: 'DNBANOKK' };
  await world.commit({ ...world.approved(one, { quote: null, bankAccount, currency: 'EUR' }), ...told });
  await world.commit(world.approved(one, { status: 'APPROVED' }));
  await pay();
  const account = { merchantId: one.merchantId, iban: 'dk50 0040 0440 1162 43', bic: 'DABADKKK', reason: 'moved' };
  await setPayoutAccount(deps, staff(), account, nothingBeside);
  await pay();
  const owner = { environment: 'sandbox' as const, merchantId: one.merchantId };
  const payouts = await createPayoutRepository(world.stores.connection).list({ owner }, { skip: 0, size: 9 });
  const byNumber = payouts.sort((a, b) => a.number - b.number).map(({ iban, bic }) => [iban, bic]);
  expect(byNumber).toEqual([
    [null, null],
    ['NO9386011117947', 'DNBANOKK'],
    ['DK5000400440116243', 'DABADKKK'],
  ]);
});

test('what is proposed says what it would change, with the bank account masked, and keeps all of it for the second person', async () => {
  await world.empty();
  proposed.length = 0;
  await proposeLedgerEntry(deps, staff(), { ...input, reference: 'case 7' });
  await proposePayoutAccount(deps, staff(), {
    merchantId: one.merchantId,
    iban: 'dk50 0040 0440 1162 43',
    bic: 'DABADKKK',
    reason: 'moved',
  });
  const subject = { accountId: one.accountId, subjectType: 'merchant', subjectId: one.merchantId };
  expect(proposed).toEqual([
    {
      kind: 'LEDGER_BOOKING',
      ...subject,
      reason: 'a reason',
      input: { ...input, reference: 'case 7' },
      changes: [
        { field: 'action', from: null, to: 'DEPOSIT' },
        { field: 'amount', from: null, to: '1000 EUR' },
        { field: 'reference', from: null, to: 'case 7' },
      ],
    },
    {
      kind: 'PAYOUT_ACCOUNT',
      ...subject,
      reason: 'moved',
      input: { merchantId: one.merchantId, iban: 'DK5000400440116243', bic: 'DABADKKK', reason: 'moved' },
      changes: [
        { field: 'iban', from: null, to: 'DK50…6243' },
        { field: 'bic', from: null, to: 'DABA…KKK' },
      ],
    },
  ]);
});

test.each([
  [
    'both',
    { iban: 'NO9386011117947', bic: 'DNBANOKK' },
    [
      { field: 'iban', from: 'DK50…6243', to: 'NO93…7947' },
      { field: 'bic', from: 'DABA…KKK', to: 'DNBA…OKK' },
    ],
  ],
  [
    'the bank code alone',
    { iban: 'DK5000400440116243', bic: 'NDEADKKK' },
    [{ field: 'bic', from: 'DABA…KKK', to: 'NDEA…KKK' }],
  ],
])('what replaces an account tells what was there: %s', async (_what, account, changes) => {
  await world.empty();
  const known = { merchantId: one.merchantId, iban: 'DK5000400440116243', bic: 'DABADKKK', reason: 'first' };
  await setPayoutAccount(deps, staff(), known, nothingBeside);
  await world.feed();
  proposed.length = 0;
  await proposePayoutAccount(deps, staff(), { ...known, ...account });
  expect(proposed.map((proposal) => proposal.changes)).toEqual([changes]);
  await setPayoutAccount(deps, staff(), { ...known, ...account }, nothingBeside);
  const audited = await world.stores.connection.collection('audit').find({}).sort({ $natural: -1 }).limit(1).toArray();
  expect(audited[0]?.['changes']).toEqual([...changes, { field: 'reason', from: null, to: 'first' }]);
});
