// The hosted payment page when there is nothing more to fill in: on the way to bank or method, and every way a visit can end.
import { brandName, shownCard } from '../brands';
import { html, type Insert, type Markup } from '../html';
import { icons } from '../layout';
import type { Key, Texts } from '../strings';
import { isGood, type LoadedCheckout, outcomeOf, type ShownOutcome, wayBack } from './checkout-page';
import { cancelForm, orderPanel } from './pay-view';

interface EndWords {
  title: Key;
  text: Key;
  next?: Key;
  tone: 'good' | 'wait' | 'bad';
}

const words: Readonly<Record<ShownOutcome | 'alreadyPaid', EndWords>> = {
  paid: { title: 'successTitle', text: 'successText', tone: 'good' },
  alreadyPaid: { title: 'paidTitle', text: 'paidText', tone: 'good' },
  verified: { title: 'verifiedTitle', text: 'verifiedText', tone: 'good' },
  collected: { title: 'collectedTitle', text: 'collectedText', tone: 'good' },
  pending: { title: 'pendingTitle', text: 'pendingText', tone: 'wait' },
  declined: { title: 'declinedTitle', text: 'declinedText', next: 'declinedNext', tone: 'bad' },
  unconfirmed: { title: 'unconfirmedTitle', text: 'unconfirmedText', next: 'declinedNext', tone: 'bad' },
  failed: { title: 'failedTitle', text: 'failedText', next: 'failedNext', tone: 'bad' },
  cancelled: { title: 'cancelledTitle', text: 'cancelledText', next: 'startAgain', tone: 'wait' },
  expired: { title: 'expiredTitle', text: 'expiredText', next: 'startAgain', tone: 'wait' },
  closed: { title: 'closedTitle', text: 'closedText', tone: 'wait' },
};

const toneIcons = { good: icons.check, wait: icons.clock, bad: icons.cross };

export interface EndView {
  texts: Texts;
  page: LoadedCheckout;
  /** The payer has just finished; later visits to the same address say that it is done already. */
  isFresh: boolean;
}

export function endTitle({ texts, page, isFresh }: EndView): string {
  return texts.t(wordsOf(page, isFresh).title);
}

export function endView({ texts, page, isFresh }: EndView): Markup {
  const { title, text, next, tone } = wordsOf(page, isFresh);
  const values = { merchant: page.merchantName };
  const back = wayBack(page);
  return html`<div class="sheet"><aside class="order">${orderPanel({ texts, page })}</aside>
<main class="work end end-${tone}"><span class="seal" aria-hidden="true">${toneIcons[tone]}</span><h1>${texts.t(title)}</h1><p class="lead">${texts.t(text, values)}</p>${
    next ? html`<p>${texts.t(next)}</p>` : null
  }${isGood(outcomeOf(page)) ? receipt(texts, page) : null}${
    back ? html`<p class="actions"><a class="button" href="${back}">${texts.t('backTo', values)}</a></p>` : null
  }</main></div>`;
}

function wordsOf(page: LoadedCheckout, isFresh: boolean): EndWords {
  const outcome = outcomeOf(page);
  return words[outcome === 'paid' && !isFresh ? 'alreadyPaid' : outcome];
}

/** What a payer keeps: printed without buttons by the style sheet. */
function receipt(texts: Texts, { operation, orderId, merchantName }: LoadedCheckout): Markup | null {
  if (!operation) return null;
  const instrument = shownCard(operation.paymentCircuit, operation.paymentInstrumentInfo);
  const rows: [string, string][] = [
    [texts.t('merchant'), merchantName],
    [texts.t('amount'), texts.money(operation.operationAmount, operation.operationCurrency)],
    ...(instrument ? [[texts.t('paidWith'), instrument] as [string, string]] : []),
    ...(orderId ? [[texts.t('order'), orderId] as [string, string]] : []),
    [texts.t('date'), texts.time(new Date(operation.operationTime))],
    [texts.t('reference'), operation.operationId],
  ];
  return html`<section class="receipt" aria-labelledby="receipt"><h2 id="receipt">${texts.t('receipt')}</h2><dl class="lines">${rows.map(
    ([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl><button class="quiet print" type="button" id="print" hidden>${texts.t('print')}</button></section>`;
}

export function awayTitle(texts: Texts, page: LoadedCheckout): string {
  const method = methodElsewhere(page);
  return method ? texts.t('methodTitle', { method }) : texts.t('challengeTitle');
}

function methodElsewhere({ method }: LoadedCheckout): string | null {
  return method && method !== 'CARDS' ? brandName(method) : null;
}

/** The payer has been sent to bank or method and is looking at us again, by the back button for example. */
export function awayView(texts: Texts, page: LoadedCheckout): Markup {
  const method = methodElsewhere(page);
  const title = awayTitle(texts, page);
  const [text, button] = method
    ? [texts.t('methodText', { method }), title]
    : [texts.t('challengeText'), texts.t('challengeButton')];
  return html`<div class="sheet"><aside class="order">${orderPanel({ texts, page })}</aside>
<main class="work end end-wait"><span class="seal" aria-hidden="true">${icons.bank}</span><h1>${title}</h1><p class="lead">${text}</p>
<p class="actions"><a class="button" href="/pay/${page.sessionId}?go=1">${button}</a></p>${cancelForm({ texts, page })}</main></div>`;
}

/** For the moment in which the browser goes on by itself. */
export function goView(texts: Texts, address: string): Markup {
  return lone(
    html`<span class="seal spin" aria-hidden="true">${icons.lock}</span><h1>${texts.t('goTitle')}</h1><p class="lead" role="status">${texts.t('goText')}</p>
<p class="actions"><a class="button" href="${address}">${texts.t('continue')}</a></p>`,
    'wait',
  );
}

/** The merchant has not said yet what is to be paid. */
export function waitView(texts: Texts, page: LoadedCheckout): Markup {
  return html`<div class="sheet"><aside class="order">${orderPanel({ texts, page })}</aside><main class="work end end-wait"><span class="seal" aria-hidden="true">${icons.clock}</span><h1>${texts.t('waitTitle')}</h1><p class="lead">${texts.t('waitText', { merchant: page.merchantName })}</p>${cancelForm({ texts, page })}</main></div>`;
}

/** The address leads nowhere. */
export function unknownView(texts: Texts): Markup {
  return lone(
    html`<span class="seal" aria-hidden="true">${icons.alert}</span><h1>${texts.t('unknownTitle')}</h1><p class="lead">${texts.t('unknownText')}</p>`,
    'wait',
  );
}

/** We cannot serve now; trying again never charges twice. */
export function downView(texts: Texts, again: string): Markup {
  return lone(
    html`<span class="seal" aria-hidden="true">${icons.alert}</span><h1>${texts.t('downTitle')}</h1><p class="lead">${texts.t('downText')}</p>
<p class="actions"><a class="button" href="${again}">${texts.t('tryAgain')}</a></p>`,
    'bad',
  );
}

function lone(content: Insert, tone: string): Markup {
  return html`<div class="sheet lone"><main class="work end end-${tone}">${content}</main></div>`;
}
