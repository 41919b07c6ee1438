// Card numbers where none belong: how one is told in a text, and what is kept of it (ISO/IEC 7812-1; decision register, Texts).
import { passesLuhn } from './luhn';

/** An id (RFC 9562): digits on both sides of its hyphens are no card number. */
const uuid = '\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b';
/** A number that was masked before: what is left of it begins no other one. */
const maskedNumber = '(?:\\*[ -]?){9,15}(?:\\d[ -]?){3}\\d(?!\\d)';
const digitsOrId = new RegExp(`${uuid}|${maskedNumber}|\\d+(?:[ -]\\d+)*`, 'gi');
const lengths = { min: 13, max: 19 };
/** First digits of the schemes' ranges. */
const scheme = /^(?:3|4|5|6|2[2-7])/;

/** The text with all but the last four digits of each card number as stars; card numbers are 13 to 19 digits, whole or in groups with single blanks or hyphens. */
export function maskCardNumbers(text: string): string {
  return text.replace(digitsOrId, (run) => (/^\d[\d -]*$/.test(run) ? maskRun(run) : run));
}

/** Card numbers begin and end where groups of digits do: within a longer number there is none. */
function maskRun(run: string): string {
  const groups = [...run.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({ digits, from: index }));
  for (let first = 0; first < groups.length; first += 1) {
    let digits = '';
    let end = 0;
    let found = '';
    for (const group of groups.slice(first)) {
      digits += group.digits;
      if (digits.length > lengths.max) break;
      if (digits.length >= lengths.min && scheme.test(digits) && passesLuhn(digits)) {
        end = group.from + group.digits.length;
        found = digits;
      }
    }
    const from = groups[first]?.from ?? 0;
    if (found) return `${run.slice(0, from)}${masked(run.slice(from, end))}${maskRun(run.slice(end))}`;
  }
  return run;
}

function masked(number: string): string {
  let kept = 0;
  return [...number]
    .reverse()
    .map((character) => (/\d/.test(character) && ++kept > 4 ? '*' : character))
    .reverse()
    .join('');
}
