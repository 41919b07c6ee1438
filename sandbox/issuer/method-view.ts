// The page of a simulated alternative method: who is to be paid, how much, and the payer's yes or no.
import { brandName } from '../../pages/brands';
import { html, type Markup } from '../../pages/html';
import { icons } from '../../pages/layout';
import type { Texts } from '../../pages/strings';

export interface ShownVisit {
  visitId: string;
  sessionId: string;
  method: string;
  merchantName: string;
  /** Minor units. */
  amount: string;
  currency: string;
  language: string | null;
  status: 'OPEN' | 'PENDING' | 'PAID' | 'DECLINED' | 'CANCELLED';
  returnUrl: string;
}

export function methodView(texts: Texts, visit: ShownVisit): Markup {
  const name = brandName(visit.method);
  return html`<main class="card-sheet"><div class="issuer"><span class="issuer-name">${icons.wallet}<span>${name}</span></span></div><div class="ask">${visit.status === 'OPEN' ? question(texts, visit) : ended(texts, visit)}</div></main>`;
}

function question(texts: Texts, visit: ShownVisit): Markup {
  const amount = texts.money(visit.amount, visit.currency);
  return html`<h1>${texts.t('payTitle', { merchant: visit.merchantName })}</h1><p>${texts.t('methodText', { method: brandName(visit.method) })}</p>
<dl class="lines"><div><dt>${texts.t('merchant')}</dt><dd>${visit.merchantName}</dd></div><div><dt>${texts.t('amount')}</dt><dd>${amount}</dd></div></dl>
<form id="answer" class="answer" method="post" action="/method/${visit.visitId}"><button class="pay" name="answer" value="PASS">${texts.t('methodApprove', { amount })}</button></form>
<form class="ways" method="post" action="/method/${visit.visitId}"><button class="quiet" name="answer" value="FAIL">${texts.t('methodDecline')}</button><button class="quiet" name="answer" value="CANCEL">${texts.t('cancelPayment')}</button></form>`;
}

function ended(texts: Texts, visit: ShownVisit): Markup {
  return html`<div class="end end-wait"><span class="seal" aria-hidden="true">${icons.check}</span><h1>${texts.t('methodEndTitle')}</h1><p class="lead">${texts.t('methodEndText')}</p><p class="actions"><a class="button" href="${visit.returnUrl}">${texts.t('acsReturn', { merchant: visit.merchantName })}</a></p></div>`;
}
