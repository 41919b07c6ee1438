// The fields of the signing page: what the merchant completes, the signatory's name, errors tied to their fields; no script anywhere.
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { attributes, html, type Markup } from '../html';
import { icons } from '../layout';
import { printIban } from './review';
import type { CompletedForm, SigningPage } from './signing-page';
import type { SigningKey, SigningTexts } from './signing-strings';

export interface SigningError {
  /** Name of the input. */
  field: string;
  key: SigningKey;
}

export interface FormView {
  texts: SigningTexts;
  page: SigningPage;
  errors: readonly SigningError[];
  /** What was typed and was not taken; null when the page is opened. */
  typed: Readonly<Record<string, string>> | null;
  /** What the form was drawn of stands no more: it is drawn anew, and nothing was done. */
  isOutdated: boolean;
}

interface SigningFieldSpec {
  name: string;
  label: SigningKey;
  autocomplete: string;
  inputmode: 'text' | 'tel' | 'email';
  maxlength: number;
  hint?: SigningKey;
  isRequired?: boolean;
}

const contactFields: readonly SigningFieldSpec[] = [
  { name: 'firstName', label: 'firstName', autocomplete: 'given-name', inputmode: 'text', maxlength: 200 },
  { name: 'lastName', label: 'lastName', autocomplete: 'family-name', inputmode: 'text', maxlength: 200 },
  { name: 'phone', label: 'phone', autocomplete: 'tel', inputmode: 'tel', maxlength: 40, hint: 'phoneHint' },
  { name: 'email', label: 'email', autocomplete: 'email', inputmode: 'email', maxlength: 254 },
  { name: 'invoiceEmail', label: 'invoiceEmail', autocomplete: 'off', inputmode: 'email', maxlength: 254 },
];
const accountFields: readonly SigningFieldSpec[] = [
  { name: 'iban', label: 'iban', autocomplete: 'off', inputmode: 'text', maxlength: 60, hint: 'ibanKeep' },
  { name: 'swift', label: 'swift', autocomplete: 'off', inputmode: 'text', maxlength: 20 },
];
const signatoryField: SigningFieldSpec = {
  name: 'signatory',
  label: 'signatory',
  autocomplete: 'name',
  inputmode: 'text',
  maxlength: 200,
  hint: 'signatoryHint',
  isRequired: true,
};

/** Calling codes of the countries that merchants apply from. */
const phoneExamples: Readonly<Record<string, string>> = {
  DNK: '+45\u00a012\u00a034\u00a056\u00a078',
  SWE: '+46\u00a070\u00a0123\u00a045\u00a067',
  NOR: '+47\u00a0412\u00a034\u00a0567',
  GRL: '+299\u00a012\u00a034\u00a056',
};

/** In both forms: only what was shown is completed or signed. */
export function shownVersion({ page }: FormView): Markup {
  return html`<input type="hidden" name="version" value="${page.version}">`;
}

export function isShown(form: Readonly<Record<string, string>>, { version }: SigningPage): boolean {
  return form['version'] === String(version);
}

export function outdatedNotice({ texts, isOutdated }: FormView): Markup | null {
  if (!isOutdated) return null;
  return html`<p class="notice" role="alert" tabindex="-1" autofocus>${icons.alert}<span>${texts.s('outdated')}</span></p>`;
}

/** Contact, account and the consent. */
export function completionFields(view: FormView): Markup {
  const { texts } = view;
  return html`<fieldset class="group"><legend>${texts.s('contact')}</legend>${contactFields.map((field) => fieldOf(view, field))}</fieldset>
<fieldset class="group"><legend>${texts.s('bankAccount')}</legend>${accountFields.map((field) => fieldOf(view, field))}</fieldset>
${consent(view)}`;
}

export function signatory(view: FormView, company: string): Markup {
  return fieldOf(view, signatoryField, { company });
}

function fieldOf(view: FormView, field: SigningFieldSpec, values: Record<string, string> = {}): Markup {
  const { texts, errors } = view;
  const { name, label, autocomplete, inputmode, maxlength, isRequired } = field;
  const error = errors.find((each) => each.field === name);
  const hint = hintOf(view, field, values);
  const input = attributes({
    id: name,
    name,
    type: inputmode,
    autocomplete,
    maxlength,
    value: view.typed?.[name] ?? knownValue(view.page, name),
    'aria-describedby': [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ') || null,
    'aria-invalid': error ? 'true' : null,
    'aria-required': isRequired ? 'true' : null,
    spellcheck: 'false',
  });
  return html`<div class="field${error ? ' has-error' : ''}"><label for="${name}">${texts.s(label)}${
    isRequired ? null : html` <span class="soft">(${texts.s('optional')})</span>`
  }</label><input ${input}>${hint ? html`<span class="hint" id="${name}-hint">${hint}</span>` : null}${errorText(texts, error)}</div>`;
}

function hintOf({ texts, page }: FormView, { hint }: SigningFieldSpec, values: Record<string, string>): string | null {
  if (hint === 'phoneHint')
    return texts.s(hint, { example: phoneExamples[page.country] ?? phoneExamples['DNK'] ?? '' });
  if (hint !== 'ibanKeep') return hint ? texts.s(hint, values) : null;
  const iban = page.bankAccount?.iban;
  return iban ? texts.s(hint, { iban: printIban(iban) }) : null;
}

/** What the partner sent already; an IBAN is never put into a field, because its middle is not known here. */
function knownValue({ company, bankAccount }: SigningPage, name: string): string | null {
  if (name === 'swift') return bankAccount?.swift ?? null;
  if (name === 'invoiceEmail') return company.invoiceEmail;
  const known: Readonly<Record<string, string | null>> = company.contactPerson ?? {};
  return known[name] ?? null;
}

function consent({ texts, errors, typed }: FormView): Markup {
  const error = errors.find(({ field }) => field === 'terms');
  const input = attributes({
    type: 'checkbox',
    id: 'terms',
    name: 'terms',
    value: 'yes',
    checked: typed?.['terms'] === 'yes',
    'aria-describedby': error ? 'terms-error' : null,
    'aria-invalid': error ? 'true' : null,
    'aria-required': 'true',
  });
  return html`<div class="consent${error ? ' has-error' : ''}"><label for="terms"><input ${input}><span>${texts.s('terms')}</span></label>${errorText(texts, error)}</div>`;
}

function errorText(texts: SigningTexts, error: SigningError | undefined): Markup | null {
  if (!error) return null;
  return html`<span class="error" id="${error.field}-error">${icons.alert}<span>${texts.s(error.key)}</span></span>`;
}

/** The list of what is wrong, with a link to each field; the browser puts the focus here by itself. */
export function signingErrors(texts: SigningTexts, errors: readonly SigningError[]): Markup | null {
  if (errors.length === 0) return null;
  return html`<div class="summary-error" id="errors" role="alert" tabindex="-1" autofocus><h2>${icons.alert}<span>${texts.s('errorTitle')}</span></h2><ul>${errors.map(
    ({ field, key }) => html`<li><a href="#${field}">${texts.s(key)}</a></li>`,
  )}</ul></div>`;
}

/** What was typed, as the graph takes it: a field that says the same as before, or nothing, stays as the partner sent it. */
export function completedForm(form: Readonly<Record<string, string>>, page: SigningPage): CompletedForm {
  const changed = (name: string) => {
    const value = (form[name] ?? '').trim();
    return value === '' || value === knownValue(page, name) ? [] : [[name, value] as const];
  };
  const contactPerson = Object.fromEntries(['firstName', 'lastName', 'phone', 'email'].flatMap(changed));
  const bankAccount = Object.fromEntries(['iban', 'swift'].flatMap(changed));
  return {
    ...withoutUndefined({
      contactPerson: unlessEmpty(contactPerson),
      invoiceEmail: changed('invoiceEmail')[0]?.[1],
      bankAccount: unlessEmpty(bankAccount),
    }),
    acceptedTerms: form['terms'] === 'yes',
  };
}

const unlessEmpty = (members: Record<string, string>) => (Object.keys(members).length > 0 ? members : undefined);

const keysByField: Readonly<Record<string, SigningKey>> = {
  terms: 'termsMissing',
  signatory: 'signatoryMissing',
  phone: 'phoneInvalid',
  email: 'emailInvalid',
  invoiceEmail: 'emailInvalid',
  iban: 'ibanInvalid',
  swift: 'swiftInvalid',
};

/** The input that a refusal of the graph is about; null when it is about none of ours. */
export function errorOf(path: string | undefined): SigningError | null {
  const last = path?.split('.').at(-1) ?? '';
  const field = { acceptedTerms: 'terms', signatoryName: 'signatory' }[last] ?? last;
  const isOurs = [...contactFields, ...accountFields, signatoryField].some(({ name }) => name === field);
  if (!isOurs && field !== 'terms') return null;
  return { field, key: keysByField[field] ?? 'fieldInvalid' };
}
