// The end of a card's last month: pages and graph take a card until the month is over everywhere, wherever they run.
import { faultOf } from '../../pages/card-value';
import { decidePart } from '../../subgraphs/payments/sessions/card-entry';

it.each([
  ['11/26', '2026-11-30T23:59:59.999Z', true],
  ['11/26', '2026-12-01T00:00:00.000Z', true],
  ['11/26', '2026-12-01T11:59:59.999Z', true],
  ['11/26', '2026-12-01T12:00:00.000Z', false],
  ['12/26', '2026-12-01T12:00:00.000Z', true],
  ['12/26', '2027-01-01T11:59:59.999Z', true],
  ['12/26', '2027-01-01T12:00:00.000Z', false],
])('a card of %s is good at %s: %s', (expiry, time, isGood) => {
  const now = new Date(time);
  const { error } = decidePart('EXPIRATION_DATE', expiry, { circuit: null, circuits: [], now });
  expect([faultOf('expiry', expiry, { cvvDigits: 3, now }), error]).toEqual(
    isGood ? [null, null] : ['expiryPast', 'expired'],
  );
});
