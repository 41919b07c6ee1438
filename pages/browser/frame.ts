// Inside a card-field frame: takes the value to our own server only, and tells the one page that may know what happened, never what was typed.
import { brandName } from '../brands';
import { brandOf, type CardFault, faultOf, type InputName } from '../card-value';
import { format } from './card-input';
import { applyTheme, applyWords, short, tellHeight } from './frame-looks';
import type { FieldEvent, FieldWords } from './payment-fields';
import { againAfter, callRepeatedly, codeOf } from './repeated-call';
import { channelName, type FromFrame, isMessage, type ToFrame } from './wire';

interface EntryAnswer {
  valid: boolean;
  text: string | null;
  brand: string | null;
  state: string;
  securityCodeLength: number | null;
}

const fieldIds: Record<InputName, string> = {
  number: 'CARD_NUMBER',
  expiry: 'EXPIRATION_DATE',
  cvv: 'SECURITY_CODE',
  holder: 'CARDHOLDER_NAME',
  email: 'CARDHOLDER_EMAIL',
};
const {
  session = '',
  field = '',
  merchantOrigin = '',
  state: firstState = '',
  version = '1',
  texts = '{}',
} = document.body.dataset;
const say = JSON.parse(texts) as Record<string, string>;
const inputs = [...document.querySelectorAll<HTMLInputElement>('#fields .field input')];
/** The frames of one visit share what the browser filled in, and how long the security code is. */
const siblings = new BroadcastChannel(`fields-${session}`);
const sent = new Map<string, string>();
let words: FieldWords = {};
let cvvDigits = 3;

function post(message: FromFrame): void {
  if (window.parent !== window) window.parent.postMessage(message, merchantOrigin);
}

function tell(event: Omit<FieldEvent, 'fieldId'> & { fieldId?: string }): void {
  post({ channel: channelName, type: 'event', event: { fieldId: field, ...event } });
}

function call(path: string, body: object): Promise<Record<string, unknown>> {
  return callRepeatedly(`/frames/${session}/${path}`, body);
}

function nameOf(input: HTMLInputElement): InputName {
  return input.name as InputName;
}

/** `isFinal`: the payer left the field, so that what is missing is said too. */
async function judge(input: HTMLInputElement, isFinal: boolean): Promise<void> {
  const name = nameOf(input);
  const fieldId = fieldIds[name];
  const fault = faultOf(name, input.value, { cvvDigits, now: new Date() });
  if (fault) {
    if (isFinal) show(input, text(fault));
    if (isFinal) tell({ type: 'error', fieldId, code: 'INVALID', message: text(fault) });
    if (sent.delete(fieldId)) await inTurn(() => forget(input, fieldId));
    return;
  }
  if (sent.get(fieldId) === input.value || (input.value.trim() === '' && !sent.has(fieldId))) return;
  sent.set(fieldId, input.value);
  await inTurn(() => enter(input, fieldId));
}

let turn = Promise.resolve();

/** What was typed last is what the server is told last. */
function inTurn(step: () => Promise<void>): Promise<void> {
  turn = turn.then(step);
  return turn;
}

/** A value that was good and no longer stands here must not be paid with. */
async function forget(input: HTMLInputElement, fieldId: string): Promise<void> {
  try {
    const { state } = await call(fieldId, { value: '' });
    tell({ type: 'state', state: String(state) });
  } catch (error) {
    refuse(input, codeOf(error));
  }
}

async function enter(input: HTMLInputElement, fieldId: string): Promise<void> {
  const typed = input.value;
  if (sent.get(fieldId) !== typed) return;
  const value = nameOf(input) === 'number' ? typed.replace(/ /g, '') : typed.trim();
  try {
    const answer = (await call(fieldId, { value })) as unknown as EntryAnswer;
    if (input.value === typed) report(input, fieldId, answer);
    await follow(answer.state);
  } catch (error) {
    sent.delete(fieldId);
    refuse(input, codeOf(error));
  }
}

function report(input: HTMLInputElement, fieldId: string, { valid, text: key, ...answer }: EntryAnswer): void {
  const message = valid ? null : text(key ?? 'fieldInvalid');
  show(input, message);
  if (nameOf(input) === 'number') noteBrand(input, answer);
  if (message === null) tell({ type: 'valid', fieldId, isValid: true });
  else tell({ type: 'error', fieldId, isValid: false, code: 'INVALID', message });
}

function refuse(input: HTMLInputElement | undefined, code: string): void {
  const isOver = code === 'flowStateInvalid' || code === 'notFound';
  const message = say[isOver ? 'expiredTitle' : 'downText'] ?? '';
  if (input) show(input, message);
  tell({ type: 'error', code: isOver ? 'SESSION_ENDED' : 'UNAVAILABLE', message });
}

/** In flow version 1 the last field's frame looks at the device itself; in version 3 the shop's button comes first. */
async function follow(state: string): Promise<void> {
  if (state === 'GDI_VERIFICATION' && version === '1') await checkDevice();
  else tell({ type: 'state', state });
}

async function checkDevice(): Promise<string> {
  const isComplete = screen.width > 0 && navigator.language !== '' && new Date().getTimezoneOffset() % 1 === 0;
  const { state } = await call('device-check', { passed: isComplete });
  tell({ type: 'state', state: String(state) });
  return String(state);
}

function text(key: CardFault | string): string {
  if (words.error && key !== 'expiredTitle') return short(words.error);
  return (say[key ?? 'fieldInvalid'] ?? say['fieldInvalid'] ?? '').replace('{digits}', String(cvvDigits));
}

function show(input: HTMLInputElement, message: string | null): void {
  const error = document.getElementById(`${input.name}-error`);
  if (error) error.textContent = message ?? '';
  input.toggleAttribute('data-good', message === null && input.value !== '');
  const hint = document.getElementById(`${input.name}-hint`) ? `${input.name}-hint` : '';
  input.setAttribute('aria-describedby', [message ? `${input.name}-error` : '', hint].join(' ').trim());
  if (message) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

let shownBrand: string | null = null;

function noteBrand(input: HTMLInputElement, answer?: Pick<EntryAnswer, 'brand' | 'securityCodeLength'>): void {
  const local = brandOf(input.value);
  const brand = answer?.brand ?? local?.circuit ?? null;
  const digits = answer?.securityCodeLength ?? local?.securityCodeDigits ?? 3;
  if (brand === shownBrand) return;
  shownBrand = brand;
  const output = document.getElementById('brand');
  if (output) {
    output.textContent = brand ? brandName(brand) : '';
    output.dataset['brand'] = brand ?? '';
  }
  setCvvDigits(digits);
  siblings.postMessage({ type: 'digits', digits });
  tell({ type: 'brand', brand });
}

function setCvvDigits(digits: number): void {
  const isOther = cvvDigits !== digits;
  cvvDigits = digits;
  const cvv = inputs.find(({ name }) => name === 'cvv');
  if (isOther && cvv?.value) void judge(cvv, true);
  const hint = document.getElementById('cvv-hint');
  if (hint && !words.hint)
    hint.textContent = (say[digits === 4 ? 'cvvHintFront' : 'cvvHint'] ?? '').replace('{digits}', String(digits));
}

function hearTyping(input: HTMLInputElement): void {
  const name = nameOf(input);
  format(name, input);
  if (name === 'number') noteBrand(input);
  if (input.getAttribute('aria-invalid')) show(input, null);
  tell({ type: 'change', fieldId: fieldIds[name], isEmpty: input.value === '' });
  // A whole number, date or code is looked at once it is there; names and addresses when the payer leaves them.
  if (name !== 'holder' && name !== 'email') void judge(input, false);
}

/** What was typed before this script ran is a value too; a payer who is still at it is not told yet what is missing. */
function catchUp(input: HTMLInputElement): void {
  if (input.value === '') return;
  hearTyping(input);
  if (!input.matches(':focus')) void judge(input, true);
}

function listen(input: HTMLInputElement): void {
  const fieldId = fieldIds[nameOf(input)];
  input.addEventListener('input', () => hearTyping(input));
  input.addEventListener('change', () => void judge(input, true));
  input.addEventListener('focus', () => tell({ type: 'focus', fieldId }));
  input.addEventListener('blur', () => tell({ type: 'blur', fieldId }));
}

function take(name: string, value: string): void {
  const input = inputs.find((each) => each.name === name);
  if (input?.value !== '') return;
  input.value = value;
  format(nameOf(input), input);
  void judge(input, true);
}

function hear({ data, origin, source }: MessageEvent): void {
  if (source !== window.parent || origin !== merchantOrigin || !isMessage(data)) return;
  const message = data as ToFrame;
  if (message.type === 'focus') inputs[0]?.focus();
  else if (message.type === 'check') inputs.forEach((input) => void judge(input, true));
  else if (message.type === 'confirm') void confirm();
  else if (message.type === 'configure') configure(message);
}

function configure({ theme, words: own, scheme }: Extract<ToFrame, { type: 'configure' }>): void {
  words = own ?? {};
  document.documentElement.dataset['scheme'] = scheme === 'dark' ? 'dark' : 'light';
  applyTheme(theme ?? {});
  applyWords(words);
  tellHeight((height) => post({ channel: channelName, type: 'size', height }));
}

async function confirmOnce(): Promise<string> {
  const state = String((await call('confirm', {}))['state']);
  if (state === 'GDI_VERIFICATION') return checkDevice();
  tell({ type: 'state', state });
  return state;
}

async function confirm(): Promise<void> {
  try {
    // A frame knows when its own values have arrived; those of the other frames may still be under way.
    await turn;
    const state = await againAfter('flowStateInvalid', confirmOnce);
    post({ channel: channelName, type: 'confirmed', state });
  } catch (error) {
    const code = codeOf(error);
    // The card may simply not be complete yet; the fields say what is missing.
    if (code === 'flowStateInvalid') tell({ type: 'error', code: 'INCOMPLETE', message: say['fieldInvalid'] ?? '' });
    else refuse(undefined, code);
    post({ channel: channelName, type: 'confirmed', state: null });
  }
}

function start(): void {
  addEventListener('message', hear);
  siblings.addEventListener('message', ({ data }) => {
    if (data?.type === 'digits' && typeof data.digits === 'number') setCvvDigits(data.digits);
    if (data?.type === 'filled') take(String(data.name), String(data.value));
    if (data?.type === 'asks' && shownBrand) siblings.postMessage({ type: 'digits', digits: cvvDigits });
  });
  inputs.forEach(listen);
  for (const stand of document.querySelectorAll<HTMLInputElement>('.autofill input'))
    stand.addEventListener('change', () => {
      siblings.postMessage({ type: 'filled', name: stand.dataset['for'], value: stand.value });
      stand.value = '';
    });
  document.getElementById('fields')?.addEventListener('submit', (event) => {
    event.preventDefault();
    tell({ type: 'submit' });
  });
  document.getElementById('choose')?.addEventListener('click', () => void choose());
  post({ channel: channelName, type: 'title', title: document.title });
  tell({ type: 'ready' });
  inputs.forEach(catchUp);
  // A number may have been typed before this frame was there to hear how long its security code is.
  siblings.postMessage({ type: 'asks' });
  if (firstState === 'PAYMENT_COMPLETE')
    tell({ type: 'error', code: 'SESSION_ENDED', message: say['expiredTitle'] ?? '' });
  else if (field === 'GDI')
    void checkDevice().then(
      () => status(say['deviceCheckDone'] ?? ''),
      (error) => refuse(undefined, codeOf(error)),
    );
}

async function choose(): Promise<void> {
  try {
    const { state, url } = await call(`${field}/choose`, {});
    tell({ type: 'state', state: String(state), url: typeof url === 'string' ? url : null });
  } catch (error) {
    refuse(undefined, codeOf(error));
  }
}

function status(message: string): void {
  const line = document.getElementById('status');
  if (line) line.textContent = message;
}

start();
