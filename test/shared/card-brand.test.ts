// Card brands by what numbers begin with: the edges of every range, whole numbers and such as are still being typed.
import { cardBrandOf, cardBrands } from '../../subgraphs/shared/card-brand';

test.each<[string, string | undefined]>([
  ['4', 'VISA'],
  ['4242424242424242', 'VISA'],
  ['5', undefined],
  ['50', undefined],
  ['51', 'MC'],
  ['5555555555554444', 'MC'],
  ['56', undefined],
  ['222', undefined],
  ['2220', undefined],
  ['2221', 'MC'],
  ['223', 'MC'],
  ['26', 'MC'],
  ['2719', 'MC'],
  ['2720', 'MC'],
  ['2721', undefined],
  ['33', undefined],
  ['34', 'AMEX'],
  ['37', 'AMEX'],
  ['300', 'DINERS'],
  ['305', 'DINERS'],
  ['306', undefined],
  ['36', 'DINERS'],
  ['38', 'DINERS'],
  ['39', 'DINERS'],
  ['6011', 'DISCOVER'],
  ['6012', undefined],
  ['643', undefined],
  ['644', 'DISCOVER'],
  ['649', 'DISCOVER'],
  ['65', 'DISCOVER'],
  ['66', undefined],
  ['', undefined],
  ['0', undefined],
])('%p shows %p', (digits, circuit) => expect(cardBrandOf(digits)?.circuit).toBe(circuit));

test('no number is of two brands', () => {
  for (let four = 0; four <= 9_999; four += 1) {
    const digits = String(four).padStart(4, '0');
    expect(cardBrands.filter(({ pattern }) => pattern.test(digits)).length).toBeLessThanOrEqual(1);
  }
});
