// The demo shop in the browser: asks its own server to build the order, mounts the card fields, and shows what everybody said to each other.
import type { FieldEvent, FieldId, FieldSet, MountedFields } from './payment-fields';
import { callRepeatedly } from './repeated-call';
import {
  addExchange,
  addLine,
  keepExchange,
  keptExchanges,
  type ShownExchange,
  startCounter,
  watchNotifications,
} from './shop-log';
import { lookOf } from './shop-looks';
import { showResult } from './shop-result';
import { updateTotal } from './shop-total';

interface Built {
  orderId: string;
  fieldSet: FieldSet | null;
  merchantOrigin: string;
  exchange: ShownExchange;
}

interface Finalized {
  exchange: ShownExchange & { answer: { state?: string; url?: string; operation?: { operationResult?: string } } };
}

const form = document.querySelector<HTMLFormElement>('#checkout');
const payButton = document.querySelector<HTMLButtonElement>('#pay');
const fieldsPlace = document.getElementById('fields');
const own = document.getElementById('own-page');
const other = document.getElementById('other-page');
const payUrl = document.body.dataset['pay'] ?? '';
let mounted: MountedFields | null = null;
let built: Built | null = null;
let state = '';
/** The order of the last try: another card pays the same order. */
let sameOrder = '';
/** Newer builds make older answers worthless. */
let turn = 0;

const value = (name: string): string => String(form ? (new FormData(form).get(name) ?? '') : '');

async function ask<Answer>(path: string, body: object): Promise<Answer> {
  return (await callRepeatedly(`/api/${path}`, body)) as Answer;
}

function wish(): Record<string, string> {
  const all = form ? Object.fromEntries([...new FormData(form)].map(([name, each]) => [name, String(each)])) : {};
  const way = value('way');
  const isMethod = way === 'PAYPAL' || way === 'MYBANK';
  // A frame's ancestors are the registered origins: with another one the browser refuses to show it here.
  const merchantUrl = value('fault') === 'blocked' ? location.origin.replace(/\/\/[^:/]+/, '//localhost') : '';
  const retried: Record<string, string> =
    !document.getElementById('result')?.hidden && sameOrder ? { orderId: sameOrder } : {};
  return { ...all, ...retried, method: isMethod ? way : 'CARDS', merchantUrl };
}

async function begin(): Promise<void> {
  const mine = ++turn;
  mounted?.unmount();
  mounted = null;
  const wished = wish();
  hideResult();
  const way = value('way');
  const isOwn = way === 'fields' || way === 'combined';
  if (own) own.hidden = !isOwn;
  if (other) other.hidden = isOwn;
  toggleOther(way);
  if (!isOwn) return;
  note('Loading the card fields…');
  setReady('');
  const answer = await ask<Built>('build', wished);
  if (mine !== turn) return;
  built = answer;
  sameOrder = answer.orderId;
  keepExchange(answer.orderId, answer.exchange);
  if (!answer.fieldSet) return note('The platform refused the order; see the exchange.');
  await loadScript(answer.fieldSet.sriHash ?? '');
  if (mine === turn) mountFields(answer, way === 'combined');
}

function toggleOther(way: string): void {
  const hosted = document.getElementById('go-hosted');
  const service = document.getElementById('go-service');
  const names: Record<string, string> = { hosted: 'to the hosted page', PAYPAL: 'with PayPal', MYBANK: 'with MyBank' };
  if (hosted) hosted.textContent = `Continue ${names[way] ?? ''}`;
  if (hosted) hosted.hidden = way === 'service';
  if (service) service.hidden = way !== 'service';
  service?.classList.replace('secondary', 'primary');
}

/** The script comes from the platform with the integrity value that the order names; another file does not run. */
function loadScript(integrity: string): Promise<void> {
  const isWrong = value('fault') === 'integrity';
  if (window.PaymentFields && !isWrong) return Promise.resolve();
  return new Promise((resolve) => {
    const script = document.createElement('script');
    script.src = `${payUrl}/sdk.js`;
    script.integrity = isWrong ? integrity.replace(/.{4}$/, 'AAAA') : integrity;
    script.crossOrigin = 'anonymous';
    script.onload = () => resolve();
    script.onerror = () => {
      note('The field script is not the one that the order names, so the browser did not run it.', true);
      addLine('events', 'error INTEGRITY: the browser refused the script');
    };
    document.head.append(script);
  });
}

/** In the order in which a payer reads them. */
const places: [FieldId, string][] = [
  ['CARD_NUMBER', 'number'],
  ['EXPIRATION_DATE', 'expiry'],
  ['SECURITY_CODE', 'cvv'],
  ['CARDHOLDER_NAME', 'holder'],
  ['CARDHOLDER_EMAIL', 'email'],
];

function mountFields({ fieldSet, merchantOrigin }: Built, isCombined: boolean): void {
  if (!fieldSet || !fieldsPlace) return;
  const shown: [FieldId, string][] = isCombined ? [['COMBINED', 'combined']] : places;
  const containers = shown.map(([id, name]) => {
    const place = document.createElement('div');
    place.id = `field-${name}`;
    place.className = `place place-${name}`;
    return [id, place] as const;
  });
  readyFields.clear();
  fieldsPlace.replaceChildren(...containers.map(([, place]) => place));
  try {
    mounted = window.PaymentFields.mount({
      fieldSet,
      merchantOrigin: value('fault') === 'origin' ? 'https://another.shop.example' : merchantOrigin,
      containers: Object.fromEntries(containers),
      theme: lookOf((document.getElementById('theme') as HTMLSelectElement | null)?.value ?? 'shop'),
      // Who plays a blocked frame need not wait for the note; elsewhere a slow frame is none.
      frameTimeoutMs: value('fault') === 'blocked' ? 4_000 : 20_000,
      onEvent: hear,
    });
  } catch (error) {
    note(error instanceof Error ? error.message : String(error), true);
  }
}

const readyFields = new Set<string>();

function hear(event: FieldEvent): void {
  const { type, fieldId, code, message, brand, state: next, url } = event;
  const facts = { fieldId, code, brand, state: next, isEmpty: event.isEmpty, isValid: event.isValid };
  addLine('events', `${type} ${JSON.stringify(facts)}`);
  if (type === 'ready') readyFields.add(String(fieldId));
  const isWhole = readyFields.size >= (fieldsPlace?.childElementCount ?? 0);
  if (type === 'ready' && isWhole && !state) note('Enter the card. Nothing of it passes through this shop.');
  if (type === 'error' && code !== 'INVALID') note(message ?? code ?? '', true);
  if (type === 'state' && url) location.assign(url);
  else if (type === 'state' && next) setReady(next);
  if (type === 'submit') void pay();
}

function setReady(next: string): void {
  state = next;
  const isVersion3 = value('version') === '3';
  const isReady = next === 'READY_FOR_PAYMENT' || (isVersion3 && next !== '');
  payButton?.setAttribute('aria-disabled', isReady ? 'false' : 'true');
  if (next === 'READY_FOR_PAYMENT') note('Ready to pay.');
}

async function pay(): Promise<void> {
  if (!built?.fieldSet || !payButton || payButton.getAttribute('aria-busy') === 'true') return;
  if (value('version') === '3' && state !== 'READY_FOR_PAYMENT') {
    state = (await mounted?.confirm().catch(() => state)) ?? state;
  }
  if (state !== 'READY_FOR_PAYMENT') {
    mounted?.check();
    return note('Please complete the card fields first.', true);
  }
  const visit = { sessionId: built.fieldSet.sessionId, capture: value('capture') };
  payButton.setAttribute('aria-busy', 'true');
  note('Paying…');
  try {
    keepExchange(built.orderId, (await ask<{ exchange: ShownExchange }>('card-data', visit)).exchange);
    const { exchange } = await ask<Finalized>('finalize', visit);
    keepExchange(built.orderId, exchange);
    const { url, operation } = exchange.answer;
    if (url) location.assign(url);
    else endWith(operation?.operationResult ?? 'UNKNOWN');
  } catch (error) {
    note(error instanceof Error ? error.message : String(error), true);
  } finally {
    payButton.removeAttribute('aria-busy');
  }
}

async function giveUp(): Promise<void> {
  if (!built?.fieldSet) return;
  const visit = { sessionId: built.fieldSet.sessionId, capture: value('capture') };
  keepExchange(built.orderId, (await ask<{ exchange: ShownExchange }>('cancel', visit)).exchange);
  mounted?.unmount();
  mounted = null;
  endWith('CANCELED');
}

function endWith(result: string): void {
  if (!own || !built) return;
  own.hidden = true;
  const order = `/order/${encodeURIComponent(built.orderId)}?capture=${value('capture')}`;
  showResult({ result, order, onAgain: begun });
}

function hideResult(): void {
  const place = document.getElementById('result');
  if (place) place.hidden = true;
}

function note(text: string, isBad = false): void {
  const line = document.getElementById('field-status');
  if (!line) return;
  line.textContent = text;
  line.classList.toggle('bad', isBad);
}

/** An ended session: the shop's server finalizes nothing, the frames are loaded anew and say so. */
async function endSession(): Promise<void> {
  if (!built?.fieldSet) return;
  const [first] = built.fieldSet.fields;
  if (!first) return;
  built.fieldSet.fields = built.fieldSet.fields.map((field) => ({
    ...field,
    src: field.src.replace(/[0-9a-f]{8}-/, '00000000-'),
  }));
  mounted?.unmount();
  mountFields(built, false);
  note('This session has ended; the fields cannot be loaded any more.', true);
}

interface Left {
  orderId: string;
  location: string | null;
  exchanges: ShownExchange[];
}

/** To a page of the platform or of a method; what the shop's server said on the way is kept for the order's page. */
async function leave(event: SubmitEvent): Promise<void> {
  event.preventDefault();
  const way = value('way');
  const isPage = way === 'hosted' || way === 'service';
  const left = isPage ? await ask<Left>(way, wish()) : leftOf(await ask<Built>('build', wish()));
  for (const exchange of left.exchanges) keepExchange(left.orderId, exchange);
  if (left.location) return location.assign(left.location);
  const line = document.getElementById('other-status');
  if (line) line.textContent = 'The platform refused the order; see the exchange.';
}

/** PayPal and MyBank are built like card fields; the answer is an address to go to. */
function leftOf({ orderId, fieldSet, exchange }: Built): Left {
  return { orderId, location: fieldSet?.url ?? null, exchanges: [exchange] };
}

function begun(): void {
  begin()
    .then(() => (value('fault') === 'expired' ? endSession() : undefined))
    .catch(tellFault);
}

function tellFault(error: unknown): void {
  note(error instanceof Error ? error.message : String(error), true);
}

function start(): void {
  startCounter();
  const received = document.getElementById('received');
  if (received) watchNotifications(received.dataset['order'] ?? '', ask);
  const earlier = document.querySelector<HTMLElement>('#exchange[data-order]')?.dataset['order'];
  if (earlier) for (const exchange of keptExchanges(earlier)) addExchange(exchange);
  if (!form) return;
  const first = document.querySelector<HTMLInputElement>('input[name="way"][value="fields"]');
  if (first) first.checked = true;
  form.addEventListener('change', ({ target }) => {
    const { id } = target as HTMLElement;
    updateTotal();
    if (id === 'theme') mounted?.setTheme(lookOf((target as HTMLSelectElement).value));
    else begun();
  });
  form.addEventListener('submit', (event) => void leave(event).catch(tellFault));
  document.getElementById('give-up')?.addEventListener('click', () => void giveUp().catch(tellFault));
  payButton?.addEventListener('click', () => void pay());
  begun();
}

start();
