// The time of day as each region writes it, early hours included.
import { hourDigits } from '../../dashboard/strings/hour-digits';

test.each([
  ['en-GB', '00:05', '09:05', '13:05'],
  ['en-US', '12:05 AM', '9:05 AM', '1:05 PM'],
  ['de-DE', '00:05', '09:05', '13:05'],
  ['de-AT', '00:05', '09:05', '13:05'],
  ['da-DK', '00.05', '09.05', '13.05'],
  ['sv-SE', '00:05', '09:05', '13:05'],
  ['nb-NO', '00:05', '09:05', '13:05'],
])('%s', (region, midnight, morning, afternoon) => {
  const shape = { hour: hourDigits(region), minute: '2-digit', timeZone: 'UTC' } as const;
  const printed = [0, 9, 13].map((hour) =>
    new Date(Date.UTC(2026, 10, 29, hour, 5)).toLocaleTimeString(region, shape).replaceAll('\u202f', ' '),
  );
  expect(printed).toEqual([midnight, morning, afternoon]);
});
