// The hosted payment page when there is nothing more to fill in: on the way to bank or method, and every way a visit can end.
import { brandName, shownCard } from '../brands';
import { html, type Insert, type Markup } from '../html';
import { icons } from '../layout';
import type { Key, Voice } from '../strings';
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
};

const toneIcons = { good: icons.check, wait: icons.clock, bad: icons.cross };

export interface EndView {
  voice: Voice;
  page: LoadedCheckout;
  /** The payer has just finished; later visits to the same address say that it is done already. */
  isFresh: boolean;
}

export function endTitle({ voice, page, isFresh }: EndView): string {
  return voice.t(wordsOf(page, isFresh).title);
}

export function endView({ voice, page, isFresh }: EndView): Markup {
  const { title, text, next, tone } = wordsOf(page, isFresh);
  const values = { merchant: page.merchantName };
  const back = wayBack(page);
  return html`<div class="sheet"><aside class="order">${orderPanel({ voice, page })}</aside>
<main class="work end end-${tone}"><span class="seal" aria-hidden="true">${toneIcons[tone]}</span><h1>${voice.t(title)}</h1><p class="lead">${voice.t(text, values)}</p>${
    next ? html`<p>${voice.t(next)}</p>` : null
  }${isGood(outcomeOf(page)) ? receipt(voice, page) : null}${
    back ? html`<p class="actions"><a class="button" href="${back}">${voice.t('backTo', values)}</a></p>` : null
  }</main></div>`;
}

function wordsOf(page: LoadedCheckout, isFresh: boolean): EndWords {
  const outcome = outcomeOf(page);
  return words[outcome === 'paid' && !isFresh ? 'alreadyPaid' : outcome];
}

/** What a payer keeps: printed without buttons by the style sheet. */
function receipt(voice: Voice, { operation, orderId, merchantName }: LoadedCheckout): Markup | null {
  if (!operation) return null;
  const instrument = shownCard(operation.paymentCircuit, operation.paymentInstrumentInfo);
  const rows: [string, string][] = [
    [voice.t('merchant'), merchantName],
    [voice.t('amount'), voice.money(operation.operationAmount, operation.operationCurrency)],
    ...(instrument ? [[voice.t('paidWith'), instrument] as [string, string]] : []),
    ...(orderId ? [[voice.t('order'), orderId] as [string, string]] : []),
    [voice.t('date'), voice.time(new Date(operation.operationTime))],
    [voice.t('reference'), operation.operationId],
  ];
  return html`<section class="receipt" aria-labelledby="receipt"><h2 id="receipt">${voice.t('receipt')}</h2><dl class="lines">${rows.map(
    ([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl><button class="quiet print" type="button" id="print" hidden>${voice.t('print')}</button></section>`;
}

export function awayTitle(voice: Voice, page: LoadedCheckout): string {
  const method = methodElsewhere(page);
  return method ? voice.t('methodTitle', { method }) : voice.t('challengeTitle');
}

function methodElsewhere({ method }: LoadedCheckout): string | null {
  return method && method !== 'CARDS' ? brandName(method) : null;
}

/** The payer has been sent to bank or method and is looking at us again, by the back button for example. */
export function awayView(voice: Voice, page: LoadedCheckout): Markup {
  const method = methodElsewhere(page);
  const title = awayTitle(voice, page);
  const [text, button] = method
    ? [voice.t('methodText', { method }), title]
    : [voice.t('challengeText'), voice.t('challengeButton')];
  return html`<div class="sheet"><aside class="order">${orderPanel({ voice, page })}</aside>
<main class="work end end-wait"><span class="seal" aria-hidden="true">${icons.bank}</span><h1>${title}</h1><p class="lead">${text}</p>
<p class="actions"><a class="button" href="/pay/${page.sessionId}?go=1">${button}</a></p>${cancelForm({ voice, page })}</main></div>`;
}

/** For the moment in which the browser goes on by itself. */
export function goView(voice: Voice, address: string): Markup {
  return lone(
    html`<span class="seal spin" aria-hidden="true">${icons.lock}</span><h1>${voice.t('goTitle')}</h1><p class="lead" role="status">${voice.t('goText')}</p>
<p class="actions"><a class="button" href="${address}">${voice.t('continue')}</a></p>`,
    'wait',
  );
}

/** The merchant has not said yet what is to be paid. */
export function waitView(voice: Voice, page: LoadedCheckout): Markup {
  return html`<div class="sheet"><aside class="order">${orderPanel({ voice, page })}</aside><main class="work end end-wait"><span class="seal" aria-hidden="true">${icons.clock}</span><h1>${voice.t('waitTitle')}</h1><p class="lead">${voice.t('waitText', { merchant: page.merchantName })}</p>${cancelForm({ voice, page })}</main></div>`;
}

/** The address leads nowhere. */
export function unknownView(voice: Voice): Markup {
  return lone(
    html`<span class="seal" aria-hidden="true">${icons.alert}</span><h1>${voice.t('unknownTitle')}</h1><p class="lead">${voice.t('unknownText')}</p>`,
    'wait',
  );
}

/** We cannot serve now; trying again never charges twice. */
export function downView(voice: Voice, again: string): Markup {
  return lone(
    html`<span class="seal" aria-hidden="true">${icons.alert}</span><h1>${voice.t('downTitle')}</h1><p class="lead">${voice.t('downText')}</p>
<p class="actions"><a class="button" href="${again}">${voice.t('tryAgain')}</a></p>`,
    'bad',
  );
}

function lone(content: Insert, tone: string): Markup {
  return html`<div class="sheet lone"><main class="work end end-${tone}">${content}</main></div>`;
}
