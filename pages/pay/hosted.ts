// The hosted payment page's journey: what each address draws, and what each form does, so that it works without a script (hosted checkout, flow states).

import { type RefusalOf, readRefusal } from '../../rest-facade/errors/errors';
import { DomainError } from '../../subgraphs/shared/errors';
import type { Asset } from '../assets';
import type { Insert } from '../html';
import { languageCookie, languageOf, rememberedLanguage } from '../language';
import { document } from '../layout';
import type { PageReply, PageRequest, PageRoute } from '../page-route';
import { pageHeaders } from '../security-headers';
import type { Texts } from '../strings';
import { textsFor } from '../texts-of-request';
import type { ShownFieldError, TypedValues } from './card-form';
import type { Checkout, LoadedCheckout } from './checkout-page';
import { isGood, isStored, outcomeOf, wayBack } from './checkout-page';
import { awayTitle, awayView, endTitle, endView, goView, waitView } from './end-view';
import { payView } from './pay-view';
import { mistakesIn, submitCard } from './submitted-card';

export interface HostedDeps {
  checkout: Checkout;
  assets: { style: Asset; script: Asset };
  clock: { now(): Date };
  refusalOf: RefusalOf;
}

const session = '([0-9a-fA-F-]{36})';

export function hostedRoutes(deps: HostedDeps): PageRoute[] {
  const at = (tail: string) => new RegExp(`^/pay/${session}${tail}/?$`);
  return [
    { method: 'GET', pattern: at(''), name: '/pay/{sessionId}', serve: (request) => show(deps, request) },
    { method: 'POST', pattern: at(''), name: '/pay/{sessionId}', serve: (request) => orAsItIs(deps, request, pay) },
    {
      method: 'POST',
      pattern: at('/cancel'),
      name: '/pay/{sessionId}/cancel',
      serve: (request) => orAsItIs(deps, request, cancel),
    },
    {
      method: 'POST',
      pattern: at('/more-time'),
      name: '/pay/{sessionId}/more-time',
      serve: (request) => orAsItIs(deps, request, moreTime),
    },
    {
      method: 'GET',
      pattern: new RegExp(`^/return/${session}/?$`),
      name: '/return/{sessionId}',
      serve: (request) => comeBack(deps, request),
    },
    {
      method: 'POST',
      pattern: new RegExp(`^/return/${session}/?$`),
      name: '/return/{sessionId}',
      isOpenToOthers: true,
      serve: (request) => comeBack(deps, request),
    },
  ];
}

/** A visit that went on or ended before the form was heard is shown as it is now. */
async function orAsItIs(
  deps: HostedDeps,
  request: PageRequest,
  serve: (deps: HostedDeps, request: PageRequest) => Promise<PageReply>,
): Promise<PageReply> {
  try {
    return await serve(deps, request);
  } catch (error) {
    if (readRefusal(error, deps.refusalOf).code !== 'flowStateInvalid') throw error;
    return seeOther(`/pay/${request.params[0] ?? ''}`);
  }
}

async function show(deps: HostedDeps, request: PageRequest): Promise<PageReply> {
  const sessionId = request.params[0] ?? '';
  const { context, isHead } = request;
  const read = await deps.checkout.read(context, sessionId);
  assertPayableHere(read);
  const isOpened = read.state === 'PAYMENT_INITIALIZATION' && !isHead;
  const page = isOpened ? await deps.checkout.open(context, sessionId) : read;
  const forward = request.query.get('go') === '1' ? forwardAddress(page, request) : null;
  if (forward) return forwardReply(deps, { page, request, address: forward });
  return draw(deps, { page, request, errors: [], typed: {}, status: 200 });
}

/** A visit with fields in the shop's own page is drawn here only on its way to the bank and at its end. */
function assertPayableHere({ kind, state }: LoadedCheckout): void {
  const isShown = state === 'REDIRECTED_TO_EXTERNAL_DOMAIN' || state === 'PAYMENT_COMPLETE';
  if (kind === 'BUILD' && !isShown) throw new DomainError('notFound');
}

/** Where the browser goes on to by itself: to bank or method, or back to the shop when it went well or was given up. */
function forwardAddress(page: LoadedCheckout, request: PageRequest): string | null {
  if (page.state === 'REDIRECTED_TO_EXTERNAL_DOMAIN' && page.redirectUrl) return inLanguage(page.redirectUrl, request);
  if (page.state !== 'PAYMENT_COMPLETE') return null;
  // A shop with fields in its own page gets the payer back whatever came of it.
  if (page.kind === 'BUILD') return page.resultUrl;
  const outcome = outcomeOf(page);
  if (isGood(outcome)) return page.resultUrl;
  return outcome === 'cancelled' ? wayBack(page) : null;
}

/** The payer's own choice of language goes along to the issuer. */
function inLanguage(address: string, request: PageRequest): string {
  const chosen = languageOf(request.query.get('lang')) ?? languageOf(rememberedLanguage(request));
  if (!chosen || !URL.canParse(address)) return address;
  const url = new URL(address);
  url.searchParams.set('lang', chosen);
  return url.href;
}

async function pay(deps: HostedDeps, request: PageRequest): Promise<PageReply> {
  const sessionId = request.params[0] ?? '';
  const { context, form } = request;
  let page = await deps.checkout.read(context, sessionId);
  assertPayableHere(page);
  if (page.state === 'PAYMENT_INITIALIZATION') page = await deps.checkout.open(context, sessionId);
  if (page.state === 'PAYMENT_METHOD_SELECTION') {
    const chosen = chosenMethod(page, form['method']);
    if (!chosen) return drawErrors(deps, { page, request, errors: [{ field: 'method', key: 'methodMissing' }] });
    const isStep = form['step'] === 'method';
    // A method once chosen stays chosen, so a card that is mistyped or not taken here is told before the choice.
    const mistakes = chosen === 'CARDS' && !isStep ? mistakesIn(form, page, deps.clock.now()) : [];
    if (mistakes.length > 0) return drawErrors(deps, { page, request, errors: mistakes });
    page = await deps.checkout.choose(context, sessionId, chosen);
    if (isStep && page.state !== 'REDIRECTED_TO_EXTERNAL_DOMAIN') return seeOther(`/pay/${sessionId}`);
  }
  const errors = await submitCard(deps, { page, request });
  if (errors.length > 0)
    return drawErrors(deps, { page: await deps.checkout.read(context, sessionId), request, errors });
  if (await isOtherAmount(deps, page, request)) return seeOther(`/pay/${sessionId}`);
  if (page.state !== 'REDIRECTED_TO_EXTERNAL_DOMAIN' && page.state !== 'PAYMENT_COMPLETE')
    await deps.checkout.pay(context, sessionId);
  return seeOther(`/pay/${sessionId}?go=1`);
}

/** What is to be paid is not what the payer was shown, by the fee of the card for example: the page shows it before anything is paid. */
async function isOtherAmount(
  { checkout }: HostedDeps,
  page: LoadedCheckout,
  { context, form }: PageRequest,
): Promise<boolean> {
  if (page.state === 'REDIRECTED_TO_EXTERNAL_DOMAIN' || page.state === 'PAYMENT_COMPLETE') return false;
  const isTyped = page.family === 'paymentService' && form['number'] !== undefined;
  const { amount, fee } = isTyped ? await checkout.read(context, page.sessionId) : page;
  const shown = form['shown'] ?? '';
  // A form that does not say what it showed has shown no fee.
  return /^\d+$/.test(shown) ? amount !== shown : fee !== null;
}

function chosenMethod({ methods }: LoadedCheckout, asked: string | undefined): string | null {
  const [only, second] = methods;
  if (!asked) return only && !second ? only.method : null;
  return methods.find(({ method }) => method === asked)?.method ?? null;
}

async function cancel(deps: HostedDeps, request: PageRequest): Promise<PageReply> {
  const sessionId = request.params[0] ?? '';
  const page = await deps.checkout.read(request.context, sessionId);
  if (page.state !== 'PAYMENT_COMPLETE') await deps.checkout.abandon(request.context, sessionId);
  return seeOther(`/pay/${sessionId}?go=1`);
}

async function moreTime(deps: HostedDeps, request: PageRequest): Promise<PageReply> {
  const sessionId = request.params[0] ?? '';
  await deps.checkout.open(request.context, sessionId);
  return seeOther(`/pay/${sessionId}`);
}

/** The browser is back from issuer or method: what they say counts, not how the browser came back. */
async function comeBack(deps: HostedDeps, request: PageRequest): Promise<PageReply> {
  const sessionId = request.params[0] ?? '';
  const { context, isHead } = request;
  const page = await (isHead ? deps.checkout.read(context, sessionId) : deps.checkout.comeBack(context, sessionId));
  return seeOther(`/pay/${page.sessionId}?go=1`);
}

interface CheckoutDrawing {
  page: LoadedCheckout;
  request: PageRequest;
  errors: readonly ShownFieldError[];
  typed: TypedValues;
  status: number;
}

function drawErrors(
  deps: HostedDeps,
  { page, request, errors }: Pick<CheckoutDrawing, 'page' | 'request' | 'errors'>,
): PageReply {
  const { form } = request;
  const typed = { expiry: form['expiry'] ?? '', holder: form['holder'] ?? '', email: form['email'] ?? '' };
  return draw(deps, { page, request, errors, typed, status: 422 });
}

function draw(deps: HostedDeps, { page, request, errors, typed, status }: CheckoutDrawing): PageReply {
  const texts = textsFor(request, page.language, page.countryLanguage);
  const path = `/pay/${page.sessionId}`;
  const isFresh = request.query.get('go') === '1';
  const leftMs = Date.parse(page.idleUntil) - deps.clock.now().getTime();
  const shown = content({ page, texts, isFresh, leftMs, errors, typed, request });
  const prefix = errors.length > 0 ? `${texts.t('errorTitle')}: ` : '';
  return {
    status,
    headers: { ...pageHeaders(), ...remember(request) },
    body: document({
      texts,
      title: `${prefix}${shown.title} – ${page.merchantName}`,
      styles: [deps.assets.style],
      scripts: [deps.assets.script],
      theme: page.templateName,
      isTest: page.isTest,
      switchTo: path,
      body: shown.body,
    }),
  };
}

interface Content extends Omit<CheckoutDrawing, 'status'> {
  texts: Texts;
  isFresh: boolean;
  leftMs: number;
}

function content(drawn: Content): { title: string; body: Insert } {
  const { page, texts, isFresh, request } = drawn;
  if (page.state === 'PAYMENT_COMPLETE') {
    const view = { texts, page, isFresh };
    return { title: endTitle(view), body: endView(view) };
  }
  if (page.state === 'REDIRECTED_TO_EXTERNAL_DOMAIN')
    return { title: awayTitle(texts, page), body: awayView(texts, page) };
  if (page.amount === null) return { title: texts.t('waitTitle'), body: waitView(texts, page) };
  const wantsOtherCard = request.query.get('edit') === '1' && !isStored(page);
  const marked = request.form['method'] ?? page.method;
  return {
    title: texts.t('payTitle', { merchant: page.merchantName }),
    body: payView({ ...drawn, wantsOtherCard, marked }),
  };
}

function forwardReply(
  deps: HostedDeps,
  { page, request, address }: { page: LoadedCheckout; request: PageRequest; address: string },
): PageReply {
  const texts = textsFor(request, page.language, page.countryLanguage);
  return {
    status: 200,
    headers: pageHeaders(),
    body: document({
      texts,
      title: texts.t('goTitle'),
      styles: [deps.assets.style],
      theme: page.templateName,
      isTest: page.isTest,
      forwardTo: address,
      body: goView(texts, address),
    }),
  };
}

function remember(request: PageRequest): Record<string, string> {
  const chosen = languageOf(request.query.get('lang'));
  return chosen ? { 'set-cookie': languageCookie(chosen) } : {};
}

function seeOther(location: string): PageReply {
  return { status: 303, headers: { location } };
}
