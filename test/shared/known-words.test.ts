// Filters refuse words that there are not, so that a slip of the pen does not look like an empty list.
import { assertAuditFilter } from '../../subgraphs/access/audit/audit-filter';
import { readQuestion } from '../../subgraphs/reporting/metrics/metric-question';
import { assertListFilter } from '../../subgraphs/shared/list-filter';

const figures = (filter: object) =>
  readQuestion({ range: { from: new Date(0), to: new Date(3_600_000) }, interval: 'HOUR', filter });

const cases: [string, () => unknown, field: string, right: string][] = [
  ['a currency', () => assertListFilter({ currency: 'ZZZ' }), 'currency', 'EUR'],
  ['one for tests', () => assertListFilter({ currency: 'XTS' }), 'currency', 'EUR'],
  ['no text', () => assertListFilter({ currency: '' }), 'currency', 'EUR'],
  ['small letters', () => assertListFilter({ currencies: ['EUR', 'sek'] }), 'currencies', 'EUR'],
  ['an act', () => assertAuditFilter({ action: 'payment.refund' }), 'action', 'payment.refunded'],
  ['an act of two', () => assertAuditFilter({ actions: ['job.started', 'x'] }), 'actions', 'payment.refunded'],
  ['a currency of figures', () => figures({ currencies: ['eur'] }), 'filter.currencies', 'EUR'],
  ['a country of figures', () => figures({ countries: ['ITA', 'ZZZ'] }), 'filter.countries', 'ITA'],
  ['one of two letters', () => figures({ countries: ['IT'] }), 'filter.countries', 'ITA'],
];

test.each(cases)('%s that there is not', (_what, act, field, right) => {
  let refusal: unknown;
  try {
    act();
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({ code: 'invalidInput', details: { field } });
  expect(String(refusal)).toContain(right);
});

test.each<[string, () => unknown]>([
  ['nothing', () => assertListFilter({ currency: null, currencies: undefined })],
  ['currencies', () => assertListFilter({ currency: 'EUR', currencies: ['SEK', 'JPY'] })],
  ['acts', () => assertAuditFilter({ action: 'right.refused', actions: ['payout.shown', 'job.started'] })],
  ['ids of nothing', () => assertListFilter({ merchantId: 'nobody', merchantIds: ['nobody'] })],
  ['figures', () => figures({ currencies: ['EUR'], countries: ['ITA', 'DNK'], merchantIds: ['nobody'] })],
])('%s: taken', (_what, act) => {
  expect(act).not.toThrow();
});
