// The hosted payment page while the payer still has something to do: order, methods with their fees, card form, pay button.
import { brandBadge, brandName } from '../brands';
import { attributes, html, type Insert, type Markup } from '../html';
import { languageOf } from '../language';
import { icons } from '../layout';
import type { Texts } from '../strings';
import { cardForm, errorSummary, type ShownFieldError, type TypedValues } from './card-form';
import { isStored, type LoadedCheckout } from './checkout-page';

export interface PayView {
  texts: Texts;
  page: LoadedCheckout;
  errors: readonly ShownFieldError[];
  typed: TypedValues;
  /** The payer wants to type another card although one is ready. */
  wantsOtherCard: boolean;
  /** Time until the visit ends by itself. */
  leftMs: number;
  /** Method that is marked when nothing is chosen yet. */
  marked: string | null;
}

type Offer = LoadedCheckout['methods'][number];

/** The whole content: the order beside (on a phone: above) what is to be done. */
export function payView(view: PayView): Markup {
  return html`<div class="sheet"><aside class="order">${orderPanel(view)}</aside>
<main class="work">${workPanel(view)}</main></div>`;
}

/** Merchant, amount and what is paid for; shown on every page of the visit. */
export function orderPanel({ texts, page }: Pick<PayView, 'texts' | 'page'>): Markup {
  const lines: [string, string][] = [
    ...(page.orderId ? [[texts.t('order'), page.orderId] as [string, string]] : []),
    ...summaryIn(texts, page).map(({ label, value }): [string, string] => [label, value]),
    ...(page.fee ? [[texts.t('fee'), texts.money(page.fee, page.currency)] as [string, string]] : []),
  ];
  return html`<p class="merchant"><span class="mark" aria-hidden="true">${initial(page.merchantName)}</span><span>${page.merchantName}</span></p>
${
  page.amount === null
    ? null
    : html`<p class="amount"><span class="amount-label">${texts.t(page.state === 'PAYMENT_COMPLETE' ? 'amount' : 'toPay')}</span> <strong>${amountText(texts, page)}</strong></p>`
}${
  page.description ? html`<p class="description">${page.description}</p>` : null
}${lines.length > 0 ? orderLines(texts, lines) : null}`;
}

/** In the language that the page speaks; else as the order's language has it. */
function summaryIn({ language }: Texts, { summaries, summary }: LoadedCheckout): LoadedCheckout['summary'] {
  return summaries.find((one) => languageOf(one.language) === language)?.lines ?? summary;
}

/** Folded on a phone, so that the form comes first; open beside the form where there is room. */
function orderLines(texts: Texts, lines: [string, string][]): Markup {
  const rows = lines.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`);
  return html`<details class="more"><summary>${texts.t('details')}</summary><dl class="lines" aria-label="${texts.t('details')}">${rows}</dl></details>`;
}

function workPanel(view: PayView): Markup {
  const { texts, page, errors } = view;
  const isReady = page.state === 'READY_FOR_PAYMENT' && !view.wantsOtherCard && errors.length === 0;
  return html`<h1>${texts.t('payTitle', { merchant: page.merchantName })}</h1>
${errorSummary(texts, errors)}
<form id="pay" method="post" action="/pay/${page.sessionId}" novalidate ${attributes({ 'data-paying': texts.t('paying') })}><input ${attributes({ type: 'hidden', name: 'shown', value: page.amount })}>${
    isReady ? readyCard(view) : choices(view)
  }
${terms(view)}
<button class="pay" id="pay-button" ${attributes({ name: 'step', value: isFirstStep(view) ? 'method' : 'pay' })}>${icons.lock}<span>${payLabel(view)}</span></button>
<p class="status" id="status" role="status" aria-live="polite"></p></form>
${cancelForm(view)}${idleNotice(view)}`;
}

/** The method comes first, on a page of its own, in the page type Multipage and where it decides what is to be paid. */
function isFirstStep({ page }: PayView): boolean {
  const isFeeOpen = new Set(page.methods.map(({ fee }) => fee ?? '0')).size > 1;
  const isStep = page.pageType === 'Multipage' || isFeeOpen;
  return isStep && page.state === 'PAYMENT_METHOD_SELECTION' && page.methods.length > 1;
}

function payLabel(view: PayView): string {
  const { texts, page } = view;
  if (isFirstStep(view)) return texts.t('continue');
  return page.amount === '0' ? texts.t('confirmCard') : texts.t('pay', { amount: amountText(texts, page) });
}

function choices(view: PayView): Insert {
  const { texts, page } = view;
  const cards = page.methods.find(({ method }) => method === 'CARDS');
  const mayChoose = page.state === 'PAYMENT_METHOD_SELECTION' && page.methods.length > 1;
  const form = cardForm({ ...view, circuits: cards?.circuits ?? [] });
  if (!mayChoose) return html`<h2 class="step">${icons.card}<span>${texts.t('cardDetails')}</span></h2>${form}`;
  return html`<fieldset class="methods"><legend>${texts.t('methodLegend')}</legend>${page.methods.map((offer) =>
    methodChoice(view, offer, offer.method === 'CARDS' && !isFirstStep(view) ? form : null),
  )}</fieldset>`;
}

function methodChoice({ texts, page, marked }: PayView, { method, circuits, fee }: Offer, form: Markup | null): Markup {
  const isCards = method === 'CARDS';
  const name = isCards ? texts.t('card') : brandName(method);
  const id = `method-${method.toLowerCase()}`;
  const isMarked = method === (marked ?? page.methods[0]?.method);
  const radio = attributes({ type: 'radio', name: 'method', value: method, id, checked: isMarked });
  const feeText =
    fee && fee !== '0'
      ? html`<span class="fee"><span class="soft">${texts.t('fee')}</span> + ${texts.money(fee, page.currency)}</span>`
      : null;
  return html`<div class="method"><label class="method-head" for="${id}"><input ${radio}><span class="method-icon">${methodIcon(method)}</span><span class="method-name">${name}</span>${feeText}</label>
<div class="method-body">${form ?? (isCards ? html`<p class="brands">${circuits.map(brandBadge)}</p>` : html`<p>${texts.t('methodRedirect', { method: name })}</p>`)}</div></div>`;
}

function methodIcon(method: string): Markup {
  if (method === 'CARDS') return icons.card;
  return /PAYPAL|PAY$/.test(method) ? icons.wallet : icons.bank;
}

function readyCard({ texts, page }: PayView): Markup {
  const change = html` <a href="/pay/${page.sessionId}?edit=1">${texts.t('otherCard')}</a>`;
  return html`<p class="ready-card">${icons.card}<span>${texts.t('enteredCard')}</span>${isStored(page) ? null : change}</p>`;
}

function terms({ texts, page }: PayView): Markup | null {
  if (page.termsAndConditionsIds.length === 0) return null;
  return html`<p class="terms">${texts.t('terms', { terms: page.termsAndConditionsIds.join(', ') })}</p>`;
}

/** A form of its own, because leaving changes something: the visit is over afterwards. */
export function cancelForm({ texts, page }: Pick<PayView, 'texts' | 'page'>): Markup {
  return html`<form class="leave" method="post" action="/pay/${page.sessionId}/cancel"><button class="quiet">${icons.back}<span>${texts.t('cancelTo', { merchant: page.merchantName })}</span></button></form>`;
}

/** Shown by the script some minutes before the visit ends by itself; asking for more time is an ordinary form. */
function idleNotice({ texts, page, leftMs }: PayView): Markup {
  return html`<form class="idle" id="idle" method="post" action="/pay/${page.sessionId}/more-time" hidden ${attributes({
    'data-text': texts.t('idleText'),
    'data-left-ms': leftMs,
  })}><div role="alert"><h2>${icons.clock}<span>${texts.t('idleTitle')}</span></h2><p id="idle-text"></p></div><button class="second">${texts.t('idleMore')}</button></form>`;
}

function amountText(texts: Texts, { amount, currency }: Pick<LoadedCheckout, 'amount' | 'currency'>): string {
  return amount === null ? '' : texts.money(amount, currency);
}

function initial(name: string): string {
  return [...name.trim()][0]?.toUpperCase() ?? '';
}
