// Errors of the hosted page's card form said before anything is sent, so that nothing typed is lost: beside the field, and in the list above the form.
import { brandOf, faultOf, type InputName } from '../card-value';

const numberInput = document.querySelector<HTMLInputElement>('#number');
const list = document.getElementById('errors');

/** Texts by key, as the server would say them. */
const says: Readonly<Record<string, string>> = JSON.parse(
  document.getElementById('card-form')?.dataset['says'] ?? '{}',
);

export const cardInputs: readonly HTMLInputElement[] = [...document.querySelectorAll<HTMLInputElement>('.field input')];

function cvvDigits(): number {
  return brandOf(numberInput?.value ?? '')?.securityCodeDigits ?? 3;
}

/** What is wrong with a field, in words; null when it may be right. */
function complaint({ name, value }: HTMLInputElement): { key: string; text: string } | null {
  const digits = cvvDigits();
  const key = faultOf(name as InputName, value, { cvvDigits: digits, now: new Date() });
  return key && { key, text: (says[key] ?? '').replace('{digits}', String(digits)) };
}

/** When the payer leaves a field: a wrong value is said at once, a missing one only on submit. */
export function judge(input: HTMLInputElement): void {
  const found = complaint(input);
  show(input, found && !found.key.endsWith('Missing') ? found.text : null);
}

/** An error goes as soon as the value can be right. */
export function forgive(input: HTMLInputElement): void {
  if (input.hasAttribute('aria-invalid') && !complaint(input)) show(input, null);
}

/** Shows everything that is wrong with a card form that is open; true when something is. */
export function refuseToSend(): boolean {
  const wrong = cardInputs.flatMap((input) => {
    const found = input.checkVisibility() ? complaint(input) : null;
    show(input, found?.text ?? null);
    return found ? [{ input, text: found.text }] : [];
  });
  if (!list) return false;
  list.hidden = wrong.length === 0;
  list.querySelector('ul')?.replaceChildren(...wrong.map(({ input, text }) => item(input, text)));
  if (wrong.length > 0) list.focus();
  return wrong.length > 0;
}

function item(input: HTMLInputElement, text: string): HTMLLIElement {
  const link = document.createElement('a');
  link.href = `#${input.id}`;
  link.textContent = text;
  const line = document.createElement('li');
  line.append(link);
  return line;
}

function show(input: HTMLInputElement, text: string | null): void {
  const place = document.getElementById(`${input.id}-error`);
  if (!place) return;
  input.closest('.field')?.classList.toggle('has-error', text !== null);
  const hint = document.getElementById(`${input.id}-hint`)?.id;
  const describedBy = [text === null ? null : place.id, hint].filter(Boolean).join(' ');
  if (describedBy) input.setAttribute('aria-describedby', describedBy);
  else input.removeAttribute('aria-describedby');
  if (text === null) {
    input.removeAttribute('aria-invalid');
    place.replaceChildren();
    return;
  }
  input.setAttribute('aria-invalid', 'true');
  const words = document.createElement('span');
  words.textContent = text;
  const mark = list?.querySelector('svg')?.cloneNode(true);
  place.replaceChildren(...(mark ? [mark] : []), words);
}

/** Where the code stands depends on the brand: on the front for the one with four digits. */
export function hintAtCode(): void {
  const hint = document.getElementById('cvv-hint');
  const digits = cvvDigits();
  const words = says[digits === 4 ? 'cvvHintFront' : 'cvvHint'];
  if (hint && words) hint.textContent = words.replace('{digits}', String(digits));
}
