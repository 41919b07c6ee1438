// The application as the merchant reviews it: what the partner prepared, section by section, and what it costs (onboarding interface, Onboarding application).
import { html, type Insert, type Markup } from '../html';
import type { ShownFee, ShownMethod, ShownQuote, SigningPage } from './signing-page';
import type { SigningKey, SigningTexts } from './signing-strings';

type ReviewRow = [label: string, value: Insert];

/** The name by which the company is called. */
export function companyOf({ company }: SigningPage): string {
  return company.companyName || company.organizationNumber;
}

/** All sections; contact and account are left out where a form beside asks for them. */
export function review(texts: SigningTexts, page: SigningPage, { isComplete }: { isComplete: boolean }): Markup {
  return html`<div class="review">
${section(texts.s('company'), companyRows(texts, page))}
${isComplete ? section(texts.s('contact'), contactRows(texts, page)) : null}
${section(texts.s('webshop'), webshopRows(texts, page))}
${isComplete ? section(texts.s('bankAccount'), accountRows(texts, page)) : null}
${page.quote ? prices(texts, page.quote) : null}
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

function companyRows(texts: SigningTexts, { company, country }: SigningPage): ReviewRow[] {
  const town = [company.zipCode, company.city].filter(Boolean).join(' ');
  return present([
    [texts.s('companyName'), company.companyName],
    [texts.s('organizationNumber'), company.organizationNumber],
    [texts.s('vatNumber'), company.vatNumber],
    [texts.s('address'), [company.companyAddress, town].filter(Boolean).join(', ')],
    [texts.s('country'), texts.country(country)],
  ]);
}

function contactRows(texts: SigningTexts, { company: { contactPerson, invoiceEmail } }: SigningPage): ReviewRow[] {
  const name = [contactPerson?.firstName, contactPerson?.lastName].filter(Boolean).join(' ');
  return present([
    [texts.s('companyName'), name],
    [texts.s('phone'), contactPerson?.phone],
    [texts.s('email'), contactPerson?.email],
    [texts.s('invoiceEmail'), invoiceEmail],
  ]);
}

function webshopRows(texts: SigningTexts, { webshop, productCodes, currency }: SigningPage): ReviewRow[] {
  const products = productCodes.map((code) => paymentName(texts, code)).join(', ');
  return present([
    [texts.s('companyName'), webshop?.name],
    [texts.s('address'), webshop?.url],
    [texts.s('currency'), currency],
    [texts.s('products'), products],
  ]);
}

function accountRows(texts: SigningTexts, { bankAccount }: SigningPage): ReviewRow[] {
  const none = texts.s('none');
  return [
    [texts.s('iban'), bankAccount?.iban ? printIban(bankAccount.iban) : none],
    [texts.s('swift'), bankAccount?.swift ?? none],
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
function paymentName(texts: SigningTexts, code: string): string {
  const key = Object.hasOwn(paymentNames, code) ? paymentNames[code] : undefined;
  return key ? texts.s(key) : code;
}

function prices(texts: SigningTexts, quote: ShownQuote): Markup | null {
  const amount = (minor: string) => texts.money(minor, quote.currency);
  const fixed: ReviewRow[] = [
    [texts.s('quote'), quote.documentNo],
    [texts.s('signon'), amount(quote.signon)],
    [texts.s('subscription'), amount(quote.subscription)],
  ];
  const methods = quote.paymentOptions.flatMap(({ paymentType, paymentMethods }) =>
    paymentMethods
      .filter(({ selected, fees }) => selected && fees.length > 0)
      .map(
        (method) =>
          html`<div class="price"><h3>${paymentName(texts, paymentType)} <span class="soft">${methodName(texts, method)}</span></h3>${lines(
            feeRows(texts, method.fees, amount),
          )}</div>`,
      ),
  );
  return section(texts.s('prices'), fixed, methods.length > 0 ? html`${methods}` : null);
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
function methodName(texts: SigningTexts, { paymentMethodProvider, ...method }: ShownMethod): string {
  const variants = [method.paymentMethodVariant1, method.paymentMethodVariant2, method.paymentMethodVariant3];
  const said = variants.flatMap((variant) => {
    const key = variantNames[variant ?? ''];
    return key ? [texts.s(key)] : [];
  });
  return [paymentMethodProvider, ...said].join(', ');
}

/** What is charged for the same thing stands on one line. */
function feeRows(texts: SigningTexts, fees: readonly ShownFee[], amount: (minor: string) => string): ReviewRow[] {
  const byName = new Map<string, string[]>();
  for (const fee of fees) {
    const name = feeName(texts, fee);
    byName.set(name, [...(byName.get(name) ?? []), feePrice(texts, fee, amount)]);
  }
  return [...byName].map(([name, parts]) => [name, parts.join(' + ')]);
}

function feeName(texts: SigningTexts, { paymentActionType, itemType }: ShownFee): string {
  if (itemType === 'SUB') return texts.s('subscription');
  if (paymentActionType === 'CHARGE') return texts.s('feeCharge');
  return paymentActionType === 'REFUND' ? texts.s('feeRefund') : texts.s('feeOther', { kind: paymentActionType });
}

/** A part of the amount, or so much each time. */
function feePrice(texts: SigningTexts, { feeType, unitPrice }: ShownFee, amount: (minor: string) => string): string {
  const isPart = feeType === 'AMT' || feeType === 'TAMT';
  return isPart ? texts.s('ofAmount', { rate: texts.rate(unitPrice) }) : amount(unitPrice);
}
