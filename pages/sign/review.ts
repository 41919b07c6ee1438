// The application as the merchant reviews it: what the partner prepared, section by section, and what it costs (onboarding interface, Onboarding application).
import { html, type Insert, type Markup } from '../html';
import type { ShownFee, ShownMethod, ShownQuote, SigningPage } from './signing-page';
import type { SigningKey, SigningVoice } from './signing-strings';

type ReviewRow = [label: string, value: Insert];

/** The name by which the company is called. */
export function companyOf({ company }: SigningPage): string {
  return company.companyName || company.organizationNumber;
}

/** All sections; contact and account are left out where a form beside asks for them. */
export function review(voice: SigningVoice, page: SigningPage, { isComplete }: { isComplete: boolean }): Markup {
  return html`<div class="review">
${section(voice.s('company'), companyRows(voice, page))}
${isComplete ? section(voice.s('contact'), contactRows(voice, page)) : null}
${section(voice.s('webshop'), webshopRows(voice, page))}
${isComplete ? section(voice.s('bankAccount'), accountRows(voice, page)) : null}
${page.quote ? prices(voice, page.quote) : null}
</div>`;
}

function section(title: string, rows: readonly ReviewRow[], more: Insert = null): Markup | null {
  if (rows.length === 0 && !more) return null;
  return html`<section class="part"><h2>${title}</h2>${rows.length > 0 ? lines(rows) : null}${more}</section>`;
}

export function lines(rows: readonly ReviewRow[]): Markup {
  return html`<dl class="lines">${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Rows of what is there. */
function present(rows: readonly [string, string | null | undefined][]): ReviewRow[] {
  return rows.flatMap(([label, value]) => (value ? [[label, value] as ReviewRow] : []));
}

function companyRows(voice: SigningVoice, { company, country }: SigningPage): ReviewRow[] {
  const town = [company.zipCode, company.city].filter(Boolean).join(' ');
  return present([
    [voice.s('companyName'), company.companyName],
    [voice.s('organizationNumber'), company.organizationNumber],
    [voice.s('vatNumber'), company.vatNumber],
    [voice.s('address'), [company.companyAddress, town].filter(Boolean).join(', ')],
    [voice.s('country'), voice.country(country)],
  ]);
}

function contactRows(voice: SigningVoice, { company: { contactPerson, invoiceEmail } }: SigningPage): ReviewRow[] {
  const name = [contactPerson?.firstName, contactPerson?.lastName].filter(Boolean).join(' ');
  return present([
    [voice.s('companyName'), name],
    [voice.s('phone'), contactPerson?.phone],
    [voice.s('email'), contactPerson?.email],
    [voice.s('invoiceEmail'), invoiceEmail],
  ]);
}

function webshopRows(voice: SigningVoice, { webshop, productCodes, currency }: SigningPage): ReviewRow[] {
  const products = productCodes.map((code) => paymentName(voice, code)).join(', ');
  return present([
    [voice.s('companyName'), webshop?.name],
    [voice.s('address'), webshop?.url],
    [voice.s('currency'), currency],
    [voice.s('products'), products],
  ]);
}

function accountRows(voice: SigningVoice, { bankAccount }: SigningPage): ReviewRow[] {
  const none = voice.s('none');
  return [
    [voice.s('iban'), bankAccount?.iban ? printIban(bankAccount.iban) : none],
    [voice.s('swift'), bankAccount?.swift ?? none],
  ];
}

/** In groups of four, as it stands on paper. */
export function printIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ');
}

const paymentNames: Readonly<Record<string, SigningKey>> = {
  CARD: 'productCard',
  INVOICE: 'productInvoice',
  INSTALLMENT: 'productInstallment',
  WALLET: 'productWallet',
  A2A: 'productA2A',
};

/** A way to pay in words; a code that an installation chose for itself stays a code. */
function paymentName(voice: SigningVoice, code: string): string {
  const key = Object.hasOwn(paymentNames, code) ? paymentNames[code] : undefined;
  return key ? voice.s(key) : code;
}

function prices(voice: SigningVoice, quote: ShownQuote): Markup | null {
  const amount = (minor: string) => voice.money(minor, quote.currency);
  const fixed: ReviewRow[] = [
    [voice.s('quote'), quote.documentNo],
    [voice.s('signon'), amount(quote.signon)],
    [voice.s('subscription'), amount(quote.subscription)],
  ];
  const methods = quote.paymentOptions.flatMap(({ paymentType, paymentMethods }) =>
    paymentMethods
      .filter(({ selected, fees }) => selected && fees.length > 0)
      .map(
        (method) =>
          html`<div class="price"><h3>${paymentName(voice, paymentType)} <span class="soft">${methodName(voice, method)}</span></h3>${lines(
            feeRows(voice, method.fees, amount),
          )}</div>`,
      ),
  );
  return section(voice.s('prices'), fixed, methods.length > 0 ? html`${methods}` : null);
}

const variantNames: Readonly<Record<string, SigningKey>> = {
  DEBIT: 'variantDebit',
  CREDIT: 'variantCredit',
  CONSUMER: 'variantConsumer',
  CORPORATE: 'variantCorporate',
  EEA: 'variantEea',
  'NON-EEA': 'variantNonEea',
};

/** The provider, and which of its cards the prices are for. */
function methodName(voice: SigningVoice, { paymentMethodProvider, ...method }: ShownMethod): string {
  const variants = [method.paymentMethodVariant1, method.paymentMethodVariant2, method.paymentMethodVariant3];
  const said = variants.flatMap((variant) => {
    const key = variantNames[variant ?? ''];
    return key ? [voice.s(key)] : [];
  });
  return [paymentMethodProvider, ...said].join(', ');
}

/** What is charged for the same thing stands on one line. */
function feeRows(voice: SigningVoice, fees: readonly ShownFee[], amount: (minor: string) => string): ReviewRow[] {
  const byName = new Map<string, string[]>();
  for (const fee of fees) {
    const name = feeName(voice, fee);
    byName.set(name, [...(byName.get(name) ?? []), feePrice(voice, fee, amount)]);
  }
  return [...byName].map(([name, parts]) => [name, parts.join(' + ')]);
}

function feeName(voice: SigningVoice, { paymentActionType, itemType }: ShownFee): string {
  if (itemType === 'SUB') return voice.s('subscription');
  if (paymentActionType === 'CHARGE') return voice.s('feeCharge');
  return paymentActionType === 'REFUND' ? voice.s('feeRefund') : voice.s('feeOther', { kind: paymentActionType });
}

/** A part of the amount, or so much each time. */
function feePrice(voice: SigningVoice, { feeType, unitPrice }: ShownFee, amount: (minor: string) => string): string {
  const isPart = feeType === 'AMT' || feeType === 'TAMT';
  return isPart ? voice.s('ofAmount', { rate: voice.rate(unitPrice) }) : amount(unitPrice);
}
