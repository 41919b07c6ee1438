// The simulated issuer's page: who asks, for how much, a one-time code or the banking app, and every way the question can end.
import { brandName, shownCard } from '../../pages/brands';
import { attributes, html, type Insert, type Markup } from '../../pages/html';
import { icons } from '../../pages/layout';
import type { Key, Texts } from '../../pages/strings';

export interface ShownChallenge {
  challengeId: string;
  sessionId: string;
  merchantName: string;
  /** Minor units. */
  amount: string;
  currency: string;
  maskedCard: string;
  scheme: string;
  language: string | null;
  /** The code that passes. */
  codeHint: string;
  status: 'OPEN' | 'PASSED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';
  triesLeft: number;
  resends: number;
  expiresAt: string;
  returnUrl: string;
}

/** The issuer that the sandbox plays. */
const issuerName = 'Sandbox Bank';

export interface ChallengeView {
  texts: Texts;
  challenge: ShownChallenge;
  /** What came of the last answer. */
  notice: 'wrong' | 'missing' | 'resent' | null;
  /** Approval in the banking app instead of a code. */
  isInApp: boolean;
  leftMs: number;
}

export function challengeTitle({
  texts,
  challenge,
  isInApp,
}: Pick<ChallengeView, 'texts' | 'challenge' | 'isInApp'>): string {
  if (challenge.status !== 'OPEN') return texts.t(endings[challenge.status].title);
  return texts.t(isInApp ? 'acsAppTitle' : 'acsTitle');
}

export function challengeView(view: ChallengeView): Markup {
  const { challenge } = view;
  const body = challenge.status !== 'OPEN' ? ending(view) : view.isInApp ? appForm(view) : codeForm(view);
  return html`<main class="card-sheet" ${attributes({ 'data-left-ms': challenge.status === 'OPEN' ? view.leftMs : null })}><div class="issuer"><span class="issuer-name">${icons.bank}<span>${issuerName}</span></span><span class="scheme">${brandName(challenge.scheme)}</span></div><div class="ask">${body}</div></main>
${challenge.status === 'OPEN' ? simulation(view) : null}`;
}

function facts({ texts, challenge }: ChallengeView): Markup {
  const rows = [
    [texts.t('merchant'), challenge.merchantName],
    [texts.t('amount'), texts.money(challenge.amount, challenge.currency)],
    [texts.t('card'), shownCard(null, challenge.maskedCard)],
  ];
  return html`<dl class="lines">${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function codeForm(view: ChallengeView): Markup {
  const { texts, challenge, notice } = view;
  const isWrong = notice === 'wrong' || notice === 'missing';
  const message = notice === 'missing' ? texts.t('acsMissing') : texts.t('acsWrong', { count: challenge.triesLeft });
  const input = attributes({
    id: 'code',
    name: 'code',
    type: 'text',
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    maxlength: 8,
    'aria-describedby': isWrong ? 'code-error code-hint' : 'code-hint',
    'aria-invalid': isWrong ? 'true' : null,
    'aria-required': 'true',
    spellcheck: 'false',
  });
  return html`<h1 id="title" tabindex="-1">${texts.t('acsTitle')}</h1><p>${texts.t('acsText')}</p>${facts(view)}
<form id="answer" class="answer" method="post" action="/challenge/${challenge.challengeId}" novalidate>
<div class="field code"><label for="code">${texts.t('acsCode')}</label><input ${input}><span class="error" id="code-error">${
    isWrong ? html`${icons.alert}<span role="alert">${message}</span>` : null
  }</span><span class="hint" id="code-hint">${texts.t('acsHint', { code: challenge.codeHint })}</span></div>
<button class="pay" name="answer" value="CODE">${texts.t('acsConfirm')}</button></form>
<p class="status" role="status">${notice === 'resent' ? texts.t('acsResent') : null}</p>
${otherWays(view)}`;
}

function appForm(view: ChallengeView): Markup {
  const { texts, challenge } = view;
  return html`<h1 id="title" tabindex="-1">${texts.t('acsAppTitle')}</h1><p>${texts.t('acsAppText')}</p>${facts(view)}
<p class="waiting" role="status"><span class="seal spin" aria-hidden="true">${icons.phone}</span><span>${texts.t('acsAppWaiting')}</span></p>
<form id="answer" class="answer" method="post" action="/challenge/${challenge.challengeId}"><button class="pay" name="answer" value="PASS">${texts.t('acsAppDone')}</button></form>
${otherWays(view)}`;
}

function otherWays({ texts, challenge, isInApp }: ChallengeView): Markup {
  const path = `/challenge/${challenge.challengeId}`;
  return html`<form class="ways" method="post" action="${path}">${
    isInApp
      ? null
      : html`<button class="quiet" id="resend" name="answer" value="RESEND">${texts.t('acsResend')}</button><span class="hint" id="resend-wait" ${attributes({ 'data-text': texts.t('acsResendWait') })}></span>`
  }<a class="quiet" href="${path}${isInApp ? '' : '?app=1'}">${texts.t(isInApp ? 'acsUseCode' : 'acsUseApp')}</a>
<button class="quiet" name="answer" value="CANCEL">${texts.t('acsCancel')}</button></form>
<details class="help"><summary>${texts.t('acsHelp')}</summary><p>${texts.t('acsHelpText')}</p></details>`;
}

/** For those who try the sandbox: what each button makes of the authentication. */
function simulation({ texts, challenge }: ChallengeView): Markup {
  const outcomes: [string, string, string][] = [
    ['PASS', texts.t('acsPassedTitle'), 'transStatus Y'],
    ['FAIL', texts.t('acsFailedTitle'), 'transStatus N'],
    ['CANCEL', texts.t('acsCancelledTitle'), 'transStatus N, challengeCancel 01'],
    ['TIMEOUT', texts.t('acsTimeoutTitle'), 'transStatus U, challengeCancel 05'],
  ];
  return html`<details class="simulation"><summary>${texts.t('acsSimulation')}</summary><form method="post" action="/challenge/${challenge.challengeId}"><ul>${outcomes.map(
    ([answer, label, meaning]) =>
      html`<li><button class="second" name="answer" value="${answer}" aria-describedby="meaning-${answer}">${label}</button><span class="hint" id="meaning-${answer}">${meaning}</span></li>`,
  )}</ul></form></details>`;
}

const endings: Readonly<Record<Exclude<ShownChallenge['status'], 'OPEN'>, { title: Key; text: Key; tone: string }>> = {
  PASSED: { title: 'acsPassedTitle', text: 'acsPassedText', tone: 'good' },
  FAILED: { title: 'acsFailedTitle', text: 'acsFailedText', tone: 'bad' },
  CANCELLED: { title: 'acsCancelledTitle', text: 'acsCancelledText', tone: 'wait' },
  TIMED_OUT: { title: 'acsTimeoutTitle', text: 'acsTimeoutText', tone: 'wait' },
};

function ending({ texts, challenge }: ChallengeView): Insert {
  if (challenge.status === 'OPEN') return null;
  const { title, text, tone } = endings[challenge.status];
  const seal = tone === 'good' ? icons.check : tone === 'bad' ? icons.cross : icons.clock;
  return html`<div class="end end-${tone}"><span class="seal" aria-hidden="true">${seal}</span><h1 id="title" tabindex="-1">${texts.t(title)}</h1><p class="lead">${texts.t(text)}</p><p class="actions"><a class="button" href="${challenge.returnUrl}">${texts.t('acsReturn', { merchant: challenge.merchantName })}</a></p></div>`;
}

export function unknownChallenge(texts: Texts): Markup {
  return lone(html`<h1>${texts.t('acsUnknownTitle')}</h1><p class="lead">${texts.t('acsUnknownText')}</p>`);
}

/** The issuer cannot answer now; `again` asks once more. */
export function issuerDown(texts: Texts, again: string): Markup {
  return lone(html`<h1>${texts.t('downTitle')}</h1><p class="lead">${texts.t('downText')}</p>
<p class="actions"><a class="button" href="${again}">${texts.t('tryAgain')}</a></p>`);
}

function lone(content: Markup): Markup {
  return html`<main class="card-sheet"><div class="issuer"><span class="issuer-name">${icons.bank}<span>${issuerName}</span></span></div><div class="ask"><div class="end end-wait"><span class="seal" aria-hidden="true">${icons.alert}</span>${content}</div></div></main>`;
}
