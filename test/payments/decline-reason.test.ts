// Why an operation was refused: the acquirer's word where it gave one, which the figures count by, else what is known from the result.

import { declineReasonOf } from '../../subgraphs/shared/vocabulary/decline-reason';
import { operationResults } from '../../subgraphs/shared/vocabulary/operation';

test.each([
  ['DECLINED', { responseReason: 'insufficient_funds' }, { code: 'insufficient_funds', text: 'insufficient_funds' }],
  ['DECLINED', { responseReason: 'Do not honor.' }, { code: 'Do_not_honor_', text: 'Do not honor.' }],
  ['DECLINED', { responseReason: 51 }, { code: 'declined', text: null }],
  ['DECLINED', { responseReason: '' }, { code: 'declined', text: null }],
  ['DENIED_BY_RISK', {}, { code: 'denied_by_risk', text: null }],
  ['THREEDS_FAILED', { threeDS: 'challenge' }, { code: 'authentication_failed', text: null }],
  ['FAILED', { responseReason: 'no_answer' }, { code: 'no_answer', text: 'no_answer' }],
  ['DENIED', { responseReason: 'too_late' }, { code: 'too_late', text: 'too_late' }],
])('%s with %j', (result, more, reason) => {
  expect(declineReasonOf(result, more)).toEqual(reason);
});

test.each(operationResults.filter((result) => !/DECLINED|DENIED|FAILED/.test(result)))('%s has none', (result) => {
  expect(declineReasonOf(result, { responseReason: 'insufficient_funds' })).toBeNull();
});

test('a reason is a word, and not without end', () => {
  expect(declineReasonOf('DECLINED', { responseReason: 'x'.repeat(100) })?.code).toBe('x'.repeat(40));
});
