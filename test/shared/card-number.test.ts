// Card numbers in free texts: found whole and in groups, masked but for four digits; ids, long references and telephone numbers stay as they are.
import fc from 'fast-check';
import { maskCardNumbers } from '../../subgraphs/shared/card-number';
import { passesLuhn } from '../../subgraphs/shared/luhn';

it.each([
  ['4242424242424242', '************4242'],
  ['card 4242 4242 4242 4242, please', 'card **** **** **** 4242, please'],
  ['5555-5555-5555-4444', '****-****-****-4444'],
  ['378282246310005', '***********0005'],
  ['3782 822463 10005', '**** ****** *0005'],
  ['2223003122003222', '************3222'],
  ['order 17 4242 4242 4242 4242', 'order 17 **** **** **** 4242'],
  ['4242424242424242 5555555555554444', '************4242 ************4444'],
  ['4222222222222', '*********2222'],
  ['*4242 4242 4242 4242*', '***** **** **** 4242*'],
  ['6011000990139424 12/31 123', '************9424 12/31 123'],
])('%s becomes %s', (text, expected) => expect(maskCardNumbers(text)).toBe(expected));

it.each([
  ['no digits at all', ''],
  ['4242424242424241', 'the check digit is wrong'],
  ['1234567890123452', 'no card begins so'],
  ['424242424242', 'twelve digits'],
  ['42424242424242424242', 'twenty digits'],
  ['7f3a4242-4242-4242-4242-424242424242', 'an id'],
  ['4242  4242  4242  4242', 'two blanks between groups'],
  ['4242.4242.4242.4242', 'dots'],
  ['+46 70 123 45 67', 'a telephone number'],
  ['************4242 424205054242', 'the rest of a masked number begins no other'],
  ['**** ****** *00 05 424205054242', 'nor in groups'],
])('%s stays: %s', (text) => expect(maskCardNumbers(text)).toBe(text));

it('leaves nothing to mask, keeps the length, and takes time in proportion to the text', () => {
  const texts = fc.array(fc.constantFrom('4242424242424242', '4242', '5', ' ', '-', 'a', '0'), { maxLength: 40 });
  fc.assert(
    fc.property(texts, (parts) => {
      const once = maskCardNumbers(parts.join(''));
      expect(once).toHaveLength(parts.join('').length);
      expect(maskCardNumbers(once)).toBe(once);
    }),
    { numRuns: 2000, examples: [[['4242424242424242', ' ', '4242', '0', '5', '0', '5', '4242']]] },
  );
});

it('knows check digits', () => {
  expect(['4242424242424242', '18', '0', '4242424242424241', '', 'a'].map(passesLuhn)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
