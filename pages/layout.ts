// The frame of every page that stands alone: head, test-mode ribbon, content, language switch; no inline script or style anywhere.
import type { Asset } from './assets';
import { scriptTag, styleTag } from './assets';
import { attributes, html, type Insert, Markup } from './html';
import { type Language, languageNames, shownLanguages } from './language';
import type { Texts } from './strings';

export interface PageFrame {
  texts: Texts;
  title: string;
  styles: readonly Asset[];
  scripts?: readonly Asset[];
  /** Look of the whole page: one of the templates of the style sheet. */
  theme?: string | null;
  isTest?: boolean;
  /** Address that the language switch comes back to with `?lang=`; without one there is no switch. */
  switchTo?: string | null;
  /** Goes there by itself at once. */
  forwardTo?: string | null;
  /** In place of the language switch and the sentence about cards. */
  foot?: Insert;
  body: Insert;
}

export function document(frame: PageFrame): Markup {
  const { texts, title, styles, scripts = [], theme, isTest, switchTo, forwardTo, foot, body } = frame;
  const root = attributes({ lang: texts.language, dir: 'ltr', 'data-theme': theme || null });
  return html`<!doctype html>
<html ${root}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${title}</title>${
    forwardTo ? html`<meta http-equiv="refresh" content="0; url=${forwardTo}">` : null
  }<link rel="icon" href="/favicon.svg" type="image/svg+xml">${styles.map(styleTag)}${scripts.map(scriptTag)}</head>
<body>${isTest ? html`<header class="ribbon">${icons.flask}${testMode(texts)}</header>` : null}
${body}
<footer class="foot">${foot ?? html`${switchTo ? languageSwitch(texts, switchTo) : null}<p class="secure">${icons.lock}<span>${texts.t('secure')}</span></p>`}</footer></body></html>
`;
}

/** Its second half is left out where a window is too small for it. */
function testMode(texts: Texts): Markup {
  const [mode = '', ...rest] = texts.t('testMode').split(/(?=:)/);
  return html`<span>${mode}<span class="ribbon-rest">${rest.join('')}</span></span>`;
}

/** A plain form, so that it works without a script; the script spares the button. */
function languageSwitch(texts: Texts, path: string): Markup {
  const option = (language: Language) =>
    html`<option ${attributes({ value: language, lang: language, selected: language === texts.language })}>${languageNames[language]}</option>`;
  return html`<form class="languages" method="get" action="${path}"><label for="lang">${icons.globe}<span>${texts.t('language')}</span></label><select id="lang" name="lang">${shownLanguages.map(option)}</select><button class="quiet">${texts.t('changeLanguage')}</button></form>`;
}

/** Small line drawings of our own; decorative, so silent for screen readers. */
const icon = (path: string) =>
  new Markup(
    `<svg class="icon" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${path}</svg>`,
  );

export const icons = {
  lock: icon('<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>'),
  globe: icon('<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18"/>'),
  flask: icon('<path d="M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M7.5 15h9"/>'),
  card: icon('<rect x="3" y="5" width="18" height="14" rx="3"/><path d="M3 10h18M7 15h4"/>'),
  wallet: icon('<path d="M4 7a2 2 0 0 1 2-2h11v4M4 7v10a2 2 0 0 0 2 2h14V9H6a2 2 0 0 1-2-2z"/><path d="M16 14h.01"/>'),
  bank: icon('<path d="M3 10l9-6 9 6M5 10v8M10 10v8M14 10v8M19 10v8M3 20h18"/>'),
  check: icon('<path d="M5 12.5l4.5 4.5L19 7.5"/>'),
  cross: icon('<path d="M6 6l12 12M18 6L6 18"/>'),
  clock: icon('<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>'),
  alert: icon('<path d="M12 4l9 16H3z"/><path d="M12 10v4M12 17h.01"/>'),
  back: icon('<path d="M15 6l-6 6 6 6"/>'),
  phone: icon('<rect x="7" y="3" width="10" height="18" rx="2"/><path d="M11 18h2"/>'),
  pen: icon('<path d="M4 20h4L19 9l-4-4L4 16zM13 7l4 4"/>'),
  mail: icon('<rect x="3" y="5" width="18" height="14" rx="2"/><path d="M4 7l8 6 8-6"/>'),
  bag: icon('<path d="M6 8h12l1 12H5z"/><path d="M9 8V7a3 3 0 0 1 6 0v1"/>'),
};
