// The documents inside the frames: one card field, all of them together, a method's button, the device check, and a visit that is over.
import { type Asset, scriptTag, styleTag } from '../assets';
import { brandName } from '../brands';
import { attributes, html, type Insert, type Markup } from '../html';
import { icons } from '../layout';
import type { Key, Texts } from '../strings';
import { cardField, cardFields, inputNames } from './card-form';
import type { LoadedCheckout } from './checkout-page';

/** Name of the frame that holds all card fields; its src is any field's with the last part replaced. */
export const combinedFieldId = 'COMBINED';

/** What the frame's script says in the payer's language. */
const scriptTexts: readonly Key[] = [
  ...(['numberMissing', 'numberInvalid', 'numberRefused', 'expiryMissing', 'expiryInvalid', 'expiryPast'] as const),
  ...([
    'cvvMissing',
    'cvvInvalid',
    'cvvHint',
    'cvvHintFront',
    'holderMissing',
    'holderInvalid',
    'emailInvalid',
  ] as const),
  ...(['fieldInvalid', 'deviceCheck', 'deviceCheckDone', 'downText', 'expiredTitle'] as const),
];

export interface FrameView {
  texts: Texts;
  page: LoadedCheckout;
  fieldId: string;
  /** What the page around the frame is drawn in; null when it did not say. */
  scheme: 'light' | 'dark' | null;
  assets: { style: Asset; script: Asset };
}

/** One field or all of them. */
export function fieldFrame(view: FrameView): Markup {
  const { texts, fieldId } = view;
  const isCombined = fieldId === combinedFieldId;
  const shown = isCombined ? cardFields : cardFields.filter(({ name }) => name === inputNames[fieldId]);
  const title = isCombined ? texts.t('cardDetails') : texts.t(shown[0]?.label ?? 'cardDetails');
  const asCard = { texts, errors: [], typed: {}, circuits: [] };
  const fields = shown.map((field) => cardField(asCard, field));
  const inputs = isCombined
    ? html`<fieldset class="card-form"><legend class="hidden">${title}</legend>${fields}</fieldset>`
    : html`${fields}${autofillSiblings(shown[0]?.name)}`;
  return frameDocument(view, { title, body: html`<form id="fields" novalidate autocomplete="on">${inputs}</form>` });
}

/**
 * A browser fills what it finds in one document: inputs for the other parts of the card stand by, out of sight and out of the tab order,
 * and the script hands what lands in them to the frames that show them.
 */
function autofillSiblings(shown: string | undefined): Markup | null {
  if (shown === 'email') return null;
  const others = cardFields.filter(({ name }) => name !== shown && name !== 'email' && name !== 'cvv');
  return html`<div class="autofill" aria-hidden="true">${others.map(
    ({ name, autocomplete }) =>
      html`<input ${attributes({ 'data-for': name, autocomplete, tabindex: -1, 'aria-hidden': 'true' })}>`,
  )}</div>`;
}

/** A method to choose, as a button. */
export function actionFrame(view: FrameView): Markup {
  const { texts, fieldId } = view;
  const name = fieldId === 'CARDS' ? texts.t('card') : brandName(fieldId);
  return frameDocument(view, {
    title: name,
    body: html`<button type="button" class="choose" id="choose">${fieldId === 'CARDS' ? icons.card : icons.wallet}<span>${name}</span></button><p class="status" role="status" id="status"></p>`,
  });
}

/** Looks at the browser by itself; there is nothing to do for the payer. */
export function deviceFrame(view: FrameView): Markup {
  return frameDocument(view, {
    title: view.texts.t('deviceCheck'),
    body: html`<p class="status" role="status" id="status">${view.texts.t('deviceCheck')}</p>`,
  });
}

/** The visit is over; the field cannot be filled any more. */
export function endedFrame(view: FrameView): Markup {
  return frameDocument(view, {
    title: view.texts.t('expiredTitle'),
    body: html`<p class="status ended" role="status" id="status">${icons.clock}<span>${view.texts.t('expiredTitle')}</span></p>`,
  });
}

function frameDocument(
  { texts, page, fieldId, scheme, assets }: FrameView,
  { title, body }: { title: string; body: Insert },
): Markup {
  const textsByKey = Object.fromEntries(scriptTexts.map((key) => [key, texts.t(key)]));
  const data = attributes({
    'data-session': page.sessionId,
    'data-field': fieldId,
    'data-merchant-origin': page.merchantOrigin,
    'data-state': page.state,
    'data-version': page.flowVersion,
    'data-entered': page.cardEntered.join(' '),
    'data-texts': JSON.stringify(textsByKey),
  });
  return html`<!doctype html>
<html ${attributes({ lang: texts.language, dir: 'ltr', 'data-scheme': scheme })}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="${scheme ?? 'light dark'}"><title>${title}</title><link rel="icon" href="/favicon.svg" type="image/svg+xml">${styleTag(assets.style)}${scriptTag(assets.script)}</head>
<body class="frame" ${data}>${body}</body></html>
`;
}
