// Every state of the signing page, drawn on the server: check and complete, sign, failed, in approval, approved, ended, and links that do not work.
import { attributes, html, type Insert, type Markup } from '../html';
import { languageNames } from '../language';
import { icons } from '../layout';
import { companyOf, lines, review } from './review';
import {
  completionFields,
  type FormView,
  outdatedNotice,
  shownVersion,
  signatory,
  signingErrors,
} from './signing-form';
import type { SigningPage } from './signing-page';
import { type SigningKey, type SigningTexts, signingLanguages } from './signing-strings';

export interface SigningView extends FormView {
  /** Below it are the addresses of the forms. */
  path: string;
  isSandbox: boolean;
}

const titles: Readonly<Record<SigningPage['status'], SigningKey>> = {
  INITIATED: 'reviewTitle',
  AWAITING_SIGNATURE: 'signTitle',
  SIGNATURE_FAILED: 'failedTitle',
  PROCESSING: 'processingTitle',
  APPROVED: 'approvedTitle',
  ABANDONED: 'abandonedTitle',
};

export function signingTitle({ texts, page }: SigningView): string {
  return texts.s(titles[page.status]);
}

export function signingView(view: SigningView): Markup {
  return html`<div class="sheet"><aside class="order">${sidePanel(view)}</aside>${workPanel(view)}</div>`;
}

/** Whose application it is and how far it is; on every page of the visit. */
function sidePanel({ texts, page }: SigningView): Markup {
  const company = companyOf(page);
  const isOpen = page.canComplete || page.canSign;
  return html`<p class="merchant"><span class="mark" aria-hidden="true">${([...company][0] ?? '').toUpperCase()}</span><span>${company}</span></p>
<p class="soft">${texts.s('application', { number: page.onboardingId })}</p>${page.status === 'ABANDONED' ? null : steps(texts, page)}${
    isOpen
      ? html`<p class="until">${icons.clock}<span>${texts.s('expires', { date: texts.day(new Date(page.expiresAt)) })}</span></p>`
      : null
  }`;
}

function steps(texts: SigningTexts, { status }: SigningPage): Markup {
  const reached = {
    INITIATED: 0,
    SIGNATURE_FAILED: 0,
    AWAITING_SIGNATURE: 1,
    PROCESSING: 2,
    APPROVED: 3,
    ABANDONED: 0,
  }[status];
  const names = (['stepCheck', 'stepSign', 'stepApproval'] as const).map((key) => texts.s(key));
  return html`<ol class="steps" aria-label="${texts.s('steps')}">${names.map(
    (name, index) =>
      html`<li ${attributes({ class: index < reached ? 'step-done' : null, 'aria-current': index === reached ? 'step' : null })}><span class="dot" aria-hidden="true">${
        index < reached ? icons.check : index + 1
      }</span><span>${name}${index < reached ? html`<span class="hidden"> (${texts.s('stepDone')})</span>` : null}</span></li>`,
  )}</ol>`;
}

function workPanel(view: SigningView): Markup {
  const { page } = view;
  if (page.canSign) return signing(view);
  if (page.canComplete) return completing(view);
  return ended(view);
}

function completing(view: SigningView): Markup {
  const { texts, page, path, errors } = view;
  const hasFailed = page.status === 'SIGNATURE_FAILED';
  const failure = html`<p class="notice">${icons.alert}<span>${texts.s('failedLead')} <strong>${texts.s('triesLeft', { count: page.signatureTriesLeft })}</strong></span></p>`;
  return html`<main class="work"><h1>${signingTitle(view)}</h1>${outdatedNotice(view)}${signingErrors(texts, errors)}${
    hasFailed ? failure : html`<p class="lead">${texts.s('reviewLead')}</p>`
  }
${review(texts, page, { isComplete: false })}
<form class="stack" method="post" action="${path}/complete" novalidate>${shownVersion(view)}<h2 class="step">${icons.pen}<span>${texts.s('complete')}</span></h2>
${completionFields(view)}
<button class="pay"><span>${texts.s(hasFailed ? 'tryAgain' : 'toSignature')}</span></button></form>
${givingUp(view)}</main>`;
}

function signing(view: SigningView): Markup {
  const { texts, page, path, errors, isSandbox } = view;
  return html`<main class="work"><h1>${signingTitle(view)}</h1>${outdatedNotice(view)}${signingErrors(texts, errors)}<p class="lead">${texts.s('signLead')}</p>
${review(texts, page, { isComplete: true })}
<form class="stack" method="post" action="${path}/sign" novalidate>${shownVersion(view)}${signatory(view, companyOf(page))}
<button class="pay">${icons.pen}<span>${texts.s('sign')}</span></button></form>
${isSandbox ? testButtons(view) : givingUp(view)}</main>`;
}

/** The sandbox asks no signing service: the tester plays its answers. */
function testButtons({ texts, path }: SigningView): Markup {
  return html`<section class="test"><h2>${icons.flask}<span>${texts.s('testTitle')}</span></h2><p>${texts.s('testText')}</p><div class="pair">
<form method="post" action="${path}/fail"><button class="second">${texts.s('testFail')}</button></form>
<form method="post" action="${path}/abandon"><button class="second">${texts.s('abandon')}</button></form></div></section>`;
}

/** Two steps to the end that cannot be undone. */
function givingUp({ texts, path }: SigningView): Markup {
  return html`<details class="give-up"><summary>${texts.s('giveUp')}</summary><p>${texts.s('giveUpText')}</p><form method="post" action="${path}/abandon"><button class="second">${texts.s('abandon')}</button></form></details>`;
}

interface SigningEnding {
  text: SigningKey;
  tone: 'good' | 'wait' | 'bad';
  icon: Markup;
}

const endings: Readonly<Partial<Record<SigningPage['status'], SigningEnding>>> = {
  PROCESSING: { text: 'processingText', tone: 'good', icon: icons.pen },
  APPROVED: { text: 'approvedText', tone: 'good', icon: icons.check },
  ABANDONED: { text: 'abandonedText', tone: 'wait', icon: icons.cross },
};

function ended(view: SigningView): Markup {
  const { texts, page } = view;
  const { text, tone, icon } = endings[page.status] ?? { text: 'processingText', tone: 'wait', icon: icons.clock };
  const rows: [string, Insert][] = [
    ...(page.signedBy ? [[texts.s('signedBy'), page.signedBy] as [string, Insert]] : []),
    ...(page.reason ? [[texts.s('reason'), reasonOf(texts, page)] as [string, Insert]] : []),
  ];
  return html`<main class="work end end-${tone}"><span class="seal">${icon}</span><h1>${signingTitle(view)}</h1><p class="lead">${texts.s(text, { company: companyOf(page) })}</p>${
    rows.length > 0 ? html`<div class="receipt facts">${lines(rows)}</div>` : null
  }</main>`;
}

const reasons: Readonly<Record<NonNullable<SigningPage['ending']>, SigningKey>> = {
  BY_MERCHANT: 'endedByMerchant',
  IDLE: 'endedIdle',
  SIGNATURE_FAILED: 'endedSignature',
  MERCHANT_ID_TAKEN: 'endedTaken',
};

/** In the page's language where the reason is ours; as staff wrote it otherwise. */
function reasonOf(texts: SigningTexts, { reason, ending }: SigningPage): string | null {
  return ending ? texts.s(reasons[ending]) : reason;
}

/** A link that opens nothing, and what to do about it. */
export function brokenLinkView(texts: SigningTexts): Markup {
  return html`<div class="sheet lone"><main class="work end end-wait"><span class="seal">${icons.cross}</span><h1>${texts.s('unknownTitle')}</h1><p class="lead">${texts.s('unknownText')}</p><p>${texts.s('unknownNext')}</p></main></div>`;
}

export function signingDownView(texts: SigningTexts, path: string): Markup {
  return html`<div class="sheet lone"><main class="work end end-wait"><span class="seal">${icons.clock}</span><h1>${texts.s('downTitle')}</h1><p class="lead">${texts.s('downText')}</p><p class="actions"><a class="button" href="${path}">${texts.s('tryAgain')}</a></p></main></div>`;
}

/** Languages as links, because nothing here needs a script; and what keeps the link safe. */
export function signingFoot(texts: SigningTexts, path: string | null): Markup {
  const links = signingLanguages.map((language) =>
    language === texts.language
      ? html`<li><span lang="${language}" aria-current="true">${languageNames[language]}</span></li>`
      : html`<li><a ${attributes({ href: `${path}?lang=${language}`, lang: language, hreflang: language })}>${languageNames[language]}</a></li>`,
  );
  if (path === null) return html``;
  return html`<nav class="tongues" aria-label="${texts.s('language')}"><ul>${links}</ul></nav><p class="secure">${icons.lock}<span>${texts.s('secure')}</span></p>`;
}
