// Inside a card-field frame: takes the value to our own server only, and tells the one page that may know what happened, never what was typed.
import { brandName } from '../brands';
import { brandOf, type CardFault, faultOf } from '../card-value';
import { format } from './card-input';
import { applyTheme, applyWords, short, show, status, tellHeight } from './frame-looks';
import { call, fieldIdOf, given, inputs, nameOf, post, say, tellPage } from './frame-page';
import { holdParts } from './held-parts';
import type { FieldWords } from './payment-fields';
import { againAfter, codeOf } from './repeated-call';
import { channelName, isMessage, type ToFrame } from './wire';

interface EntryAnswer {
  valid: boolean;
  text: string | null;
  brand: string | null;
  state: string;
  securityCodeLength: number | null;
}

/** The frames of one visit share what the browser filled in, and how long the security code is. */
const siblings = new BroadcastChannel(`fields-${given.session}`);
const parts = holdParts({
  entered: given.entered,
  own: inputs.map(fieldIdOf),
  together: given.together,
  siblings,
  wipe: (fieldId) => call(fieldId, { value: '' }),
});
const { sent } = parts;
let words: FieldWords = {};
let cvvDigits = 3;

/** `isFinal`: the payer left the field, so that what is missing is said too. */
async function judge(input: HTMLInputElement, isFinal: boolean): Promise<void> {
  const name = nameOf(input);
  const fieldId = fieldIdOf(input);
  const fault = faultOf(name, input.value, rules());
  if (fault) {
    if (isFinal) show(input, text(fault));
    if (isFinal) tellPage({ type: 'error', fieldId, code: 'INVALID', message: text(fault) });
    if (sent.delete(fieldId)) await inTurn(() => forget(input, fieldId));
    return;
  }
  if (sent.get(fieldId) === input.value || (input.value.trim() === '' && !sent.has(fieldId))) return;
  sent.set(fieldId, input.value);
  await inTurn(() => enter(input, fieldId));
}

function rules(): { cvvDigits: number; now: Date } {
  return { cvvDigits, now: new Date() };
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
    parts.settle(fieldId);
    tellPage({ type: 'state', state: String(state) });
  } catch (error) {
    // It may stand there still: the next look tries again.
    if (!sent.has(fieldId)) sent.set(fieldId, null);
    refuse(input, codeOf(error));
  }
}

async function enter(input: HTMLInputElement, fieldId: string): Promise<void> {
  const typed = input.value;
  if (sent.get(fieldId) !== typed) return;
  const value = nameOf(input) === 'number' ? typed.replace(/ /g, '') : typed.trim();
  try {
    await parts.wipeUnseen(fieldId);
    const answer = (await call(fieldId, { value })) as unknown as EntryAnswer;
    parts.settle(fieldId);
    if (input.value === typed) report(input, fieldId, answer);
    await follow(answer.state);
  } catch (error) {
    // It may have come, or what was there before may stand there still.
    if (sent.get(fieldId) === typed) sent.set(fieldId, null);
    refuse(input, codeOf(error));
  }
}

function report(input: HTMLInputElement, fieldId: string, { valid, text: key, ...answer }: EntryAnswer): void {
  const message = valid ? null : text(key ?? 'fieldInvalid');
  show(input, message);
  if (nameOf(input) === 'number') noteBrand(input, answer);
  if (message === null) tellPage({ type: 'valid', fieldId, isValid: true });
  else tellPage({ type: 'error', fieldId, isValid: false, code: 'INVALID', message });
}

function refuse(input: HTMLInputElement | undefined, code: string): void {
  const isOver = code === 'flowStateInvalid' || code === 'notFound';
  const message = say[isOver ? 'expiredTitle' : 'downText'] ?? '';
  if (input) show(input, message);
  tellPage({ type: 'error', code: isOver ? 'SESSION_ENDED' : 'UNAVAILABLE', message });
}

/** In flow version 1 the last field's frame looks at the device itself; in version 3 the shop's button comes first. */
async function follow(state: string): Promise<void> {
  if (state === 'GDI_VERIFICATION' && given.version === '1') await checkDevice();
  else tellPage({ type: 'state', state });
}

async function checkDevice(): Promise<string> {
  const isComplete = screen.width > 0 && navigator.language !== '' && new Date().getTimezoneOffset() % 1 === 0;
  const { state } = await call('device-check', { passed: isComplete });
  tellPage({ type: 'state', state: String(state) });
  return String(state);
}

function text(key: CardFault | string): string {
  if (words.error && key !== 'expiredTitle') return short(words.error);
  return (say[key ?? 'fieldInvalid'] ?? say['fieldInvalid'] ?? '').replace('{digits}', String(cvvDigits));
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
  tellPage({ type: 'brand', brand });
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
  tellPage({ type: 'change', fieldId: fieldIdOf(input), isEmpty: input.value === '' });
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
  const fieldId = fieldIdOf(input);
  input.addEventListener('input', () => hearTyping(input));
  input.addEventListener('change', () => void judge(input, true));
  input.addEventListener('focus', () => tellPage({ type: 'focus', fieldId }));
  input.addEventListener('blur', () => {
    tellPage({ type: 'blur', fieldId });
    void judge(input, false);
  });
}

function take(name: string, value: string): void {
  const input = inputs.find((each) => each.name === name);
  if (input?.value !== '') return;
  input.value = value;
  format(nameOf(input), input);
  void judge(input, true);
}

function hear({ data, origin, source }: MessageEvent): void {
  if (source !== window.parent || origin !== given.merchantOrigin || !isMessage(data)) return;
  const message = data as ToFrame;
  if (message.type === 'focus') inputs[0]?.focus();
  else if (message.type === 'check') void check();
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

/** Until nothing of this frame is under way. */
async function quiet(): Promise<void> {
  for (let last: typeof turn | null = null; last !== turn; ) {
    last = turn;
    await last;
  }
}

async function check(): Promise<void> {
  inputs.forEach((input) => void judge(input, true));
  await quiet();
  post({ channel: channelName, type: 'checked', isSettled: inputs.every(isSettled) });
}

/** The server holds what stands here, and nothing where nothing good does. */
function isSettled(input: HTMLInputElement): boolean {
  const fieldId = fieldIdOf(input);
  if (!sent.has(fieldId)) return input.value.trim() === '' || faultOf(nameOf(input), input.value, rules()) !== null;
  return sent.get(fieldId) === input.value;
}

async function confirmOnce(): Promise<string> {
  const state = String((await call('confirm', {}))['state']);
  if (state === 'GDI_VERIFICATION') return checkDevice();
  tellPage({ type: 'state', state });
  return state;
}

async function confirm(): Promise<void> {
  try {
    // Frames that were mounted by themselves were not asked whether their values have arrived.
    await quiet();
    const state = await againAfter('flowStateInvalid', confirmOnce);
    post({ channel: channelName, type: 'confirmed', state });
  } catch (error) {
    const code = codeOf(error);
    // The card may simply not be complete yet; the fields say what is missing.
    if (code === 'flowStateInvalid')
      tellPage({ type: 'error', code: 'INCOMPLETE', message: say['fieldInvalid'] ?? '' });
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
    const wiped = parts.hear(data);
    for (const input of inputs) if (fieldIdOf(input) === wiped) void judge(input, false);
  });
  inputs.forEach(listen);
  for (const stand of document.querySelectorAll<HTMLInputElement>('.autofill input'))
    stand.addEventListener('change', () => {
      siblings.postMessage({ type: 'filled', name: stand.dataset['for'], value: stand.value });
      stand.value = '';
    });
  document.getElementById('fields')?.addEventListener('submit', (event) => {
    event.preventDefault();
    tellPage({ type: 'submit' });
  });
  document.getElementById('choose')?.addEventListener('click', () => void choose());
  post({ channel: channelName, type: 'title', title: document.title });
  tellPage({ type: 'ready' });
  parts.announce();
  inputs.forEach(catchUp);
  // A number may have been typed before this frame was there to hear how long its security code is.
  siblings.postMessage({ type: 'asks' });
  if (given.state === 'PAYMENT_COMPLETE')
    tellPage({ type: 'error', code: 'SESSION_ENDED', message: say['expiredTitle'] ?? '' });
  else if (given.field === 'GDI')
    void checkDevice().then(
      () => status(say['deviceCheckDone'] ?? ''),
      (error) => refuse(undefined, codeOf(error)),
    );
}

async function choose(): Promise<void> {
  try {
    const { state, url } = await call(`${given.field}/choose`, {});
    tellPage({ type: 'state', state: String(state), url: typeof url === 'string' ? url : null });
  } catch (error) {
    refuse(undefined, codeOf(error));
  }
}

start();
