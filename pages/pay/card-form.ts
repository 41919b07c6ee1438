// The card part of the hosted page: visible labels, browser autofill, errors tied to their fields; a posted number or code is never printed back.
import { brandBadge, brandName } from '../brands';
import { attributes, html, type Markup } from '../html';
import { icons } from '../layout';
import type { Key, Texts } from '../strings';

export interface ShownFieldError {
  /** Name of the input, or `method`. */
  field: string;
  key: Key;
  values?: Record<string, string>;
}

/** What the payer typed and may see again; never number or security code. */
export interface TypedValues {
  expiry?: string;
  holder?: string;
  email?: string;
}

interface CardFieldSpec {
  name: 'number' | 'expiry' | 'cvv' | 'holder' | 'email';
  label: Key;
  autocomplete: string;
  /** Digits get the number pad; names never do. */
  inputmode: 'numeric' | 'text' | 'email';
  maxlength: number;
  hint?: Key;
  isOptional?: boolean;
}

/** Shared with the frames, so that both forms ask for the same things in the same way. */
export const cardFields: readonly CardFieldSpec[] = [
  { name: 'number', label: 'number', autocomplete: 'cc-number', inputmode: 'numeric', maxlength: 23 },
  { name: 'expiry', label: 'expiry', autocomplete: 'cc-exp', inputmode: 'numeric', maxlength: 7, hint: 'expiryHint' },
  { name: 'cvv', label: 'cvv', autocomplete: 'cc-csc', inputmode: 'numeric', maxlength: 4, hint: 'cvvHint' },
  { name: 'holder', label: 'holder', autocomplete: 'cc-name', inputmode: 'text', maxlength: 80 },
  { name: 'email', label: 'email', autocomplete: 'email', inputmode: 'email', maxlength: 254, isOptional: true },
];

export interface CardFormView {
  texts: Texts;
  errors: readonly ShownFieldError[];
  typed: TypedValues;
  circuits: readonly string[];
}

/** What the page's script says at once, in the words that the server would use. */
const sayings = [
  ...(['numberMissing', 'numberInvalid', 'expiryMissing', 'expiryInvalid', 'expiryPast', 'cvvMissing'] as const),
  ...(['cvvInvalid', 'cvvHint', 'cvvHintFront', 'holderMissing', 'holderInvalid', 'emailInvalid'] as const),
] satisfies readonly Key[];

export function cardForm(view: CardFormView): Markup {
  const { texts, circuits } = view;
  const says = JSON.stringify(Object.fromEntries(sayings.map((key) => [key, texts.t(key)])));
  return html`<fieldset class="card-form" id="card-form" data-says="${says}"><legend class="hidden">${texts.t('cardDetails')}</legend>
<p class="brands" id="accepted"><span class="hidden">${texts.t('accepted', { brands: circuits.map(brandName).join(', ') })}</span><span aria-hidden="true">${circuits.map(brandBadge)}</span></p>
${cardFields.map((field) => cardField(view, field))}</fieldset>`;
}

export function cardField({ texts, errors, typed }: CardFormView, field: CardFieldSpec): Markup {
  const { name, label, autocomplete, inputmode, maxlength, hint, isOptional } = field;
  const error = errors.find((each) => each.field === name);
  const describedBy = [error ? `${name}-error` : null, hint ? `${name}-hint` : null].filter(Boolean).join(' ');
  const value = name === 'number' || name === 'cvv' ? null : (typed[name] ?? null);
  const input = attributes({
    id: name,
    name,
    type: name === 'email' ? 'email' : 'text',
    autocomplete,
    inputmode,
    maxlength,
    value,
    'aria-describedby': describedBy || null,
    'aria-invalid': error ? 'true' : null,
    'aria-required': isOptional ? null : 'true',
    spellcheck: 'false',
  });
  return html`<div class="field field-${name}${error ? ' has-error' : ''}"><label for="${name}">${texts.t(label)}${
    isOptional ? html` <span class="soft">(${texts.t('optional')})</span>` : null
  }</label><span class="box"><input ${input}>${name === 'number' ? html`<output class="brand-now" id="brand" for="number"></output>` : null}</span>${
    hint ? html`<span class="hint" id="${name}-hint">${texts.t(hint, { digits: 3 })}</span>` : null
  }<span class="error" id="${name}-error">${error ? html`${icons.alert}<span>${texts.t(error.key, error.values)}</span>` : null}</span></div>`;
}

/** The list of what is wrong, hidden while nothing is, with a link to each field; the page's script, or the browser by its fragment, brings the focus here. */
export function errorSummary(texts: Texts, errors: readonly ShownFieldError[]): Markup {
  const root = attributes({ id: 'errors', role: 'alert', tabindex: -1, hidden: errors.length === 0 });
  return html`<div class="summary-error" ${root}><h2>${icons.alert}<span>${texts.t('errorTitle')}</span></h2><ul>${errors.map(
    ({ field, key, values }) => html`<li><a href="#${field}">${texts.t(key, values)}</a></li>`,
  )}</ul></div>`;
}

/** Inputs by the names that the graph has for the parts of a card. */
export const inputNames: Readonly<Record<string, CardFieldSpec['name']>> = {
  CARD_NUMBER: 'number',
  EXPIRATION_DATE: 'expiry',
  SECURITY_CODE: 'cvv',
  CARDHOLDER_NAME: 'holder',
  CARDHOLDER_EMAIL: 'email',
};

/** By the graph's words for what is wrong with a field. */
const keysByCode: Readonly<Record<string, Readonly<Record<string, Key>>>> = {
  number: {
    required: 'numberMissing',
    unsupportedCard: 'numberRefused',
    rejectedCard: 'numberRefused',
    other: 'numberInvalid',
  },
  expiry: { required: 'expiryMissing', expired: 'expiryPast', other: 'expiryInvalid' },
  cvv: { required: 'cvvMissing', other: 'cvvInvalid' },
  holder: { required: 'holderMissing', other: 'holderInvalid' },
  email: { other: 'emailInvalid' },
};

/** The text for what is wrong with an input; a word that is not known gets the input's general text. */
export function errorKey(input: string, code: string): Key {
  const keys = keysByCode[input];
  return keys?.[code] ?? keys?.['other'] ?? 'fieldInvalid';
}
