// What both card forms do while the payer types: digits are grouped as they stand on the card, and the caret stays where it was.
import { brandOf, digitsOf, type InputName } from '../card-value';

/** Groups digits as they stand on the card, keeping the caret where the payer is. */
export function format(name: InputName, input: HTMLInputElement): void {
  const grouped = formatted(name, input.value);
  if (grouped === input.value) return;
  const before = digitsOf(input.value.slice(0, input.selectionStart ?? 0)).length;
  const wasAtEnd = input.selectionStart === input.value.length;
  input.value = grouped;
  if (document.activeElement !== input) return;
  const caret = wasAtEnd ? grouped.length : caretAfter(grouped, before);
  input.setSelectionRange(caret, caret);
}

function formatted(name: InputName, value: string): string {
  const digits = digitsOf(value);
  if (name === 'cvv') return digits.slice(0, 4);
  if (name === 'number') {
    const grouping =
      brandOf(digits)?.circuit === 'AMEX' ? /^(.{0,4})(.{0,6})(.{0,5})/ : /^(.{0,4})(.{0,4})(.{0,4})(.{0,4})(.{0,3})/;
    return (grouping.exec(digits) ?? []).slice(1).filter(Boolean).join(' ');
  }
  if (name === 'expiry') {
    const short = /^\d{6}$/.test(digits) && digits.slice(2, 4) === '20' ? digits.slice(0, 2) + digits.slice(4) : digits;
    const month = /^[2-9]/.test(short) ? `0${short}` : short;
    return month.length > 2 || (month.length === 2 && value.includes('/'))
      ? `${month.slice(0, 2)}/${month.slice(2, 4)}`
      : month;
  }
  return value;
}

function caretAfter(text: string, digits: number): number {
  let seen = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (seen === digits) return index;
    if (/\d/.test(text[index] ?? '')) seen += 1;
  }
  return text.length;
}
