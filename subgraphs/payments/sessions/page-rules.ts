// What family A's page configuration allows: methods to choose from, cards to take, fees to show (payment service, payPageConfiguration).
import { cardBrandOf } from '../../shared/card-brand';

/** One row of paymentMethodActionInfoList; absent members ask for nothing. */
export interface PageRule {
  paymentMethod?: string;
  fee?: number;
  cardType?: string;
  cardOrigin?: string;
  cardProductType?: string;
  bin?: number;
  action?: string;
}

/** Circuits that the page's card schemes stand for; the other values of paymentMethod are alternative methods. */
const schemes: Readonly<Record<string, readonly string[]>> = {
  VISA: ['VISA'],
  MASTERCARD: ['MC'],
  MAESTRO: [],
  AMEX: ['AMEX'],
  DINERS: ['DINERS', 'DISCOVER'],
  DOMESTIC: [],
};
const allCircuits = ['VISA', 'MC', 'AMEX', 'DINERS', 'DISCOVER'];

/** What is known of a card without its issuer: number ranges that say more are not public, so a card counts as an ordinary one. */
const ordinaryCard = {
  cardType: ['All', 'Credit'],
  cardOrigin: ['All', 'Domestic', 'EU'],
  cardProductType: ['All', 'Private'],
};

/** A card by what is known of it: its circuit, and digits that its number begins with. */
interface KnownCard {
  circuit: string;
  bin: string;
}

export interface PageMethod {
  method: string;
  circuits: string[];
}

/** The rules of a configuration as it was kept; its reader leaves out what is null. */
export function pageRulesOf(configuration: Record<string, unknown> | null): readonly PageRule[] {
  const rules = configuration?.['paymentMethodActionInfoList'];
  return Array.isArray(rules) ? (rules as PageRule[]) : [];
}

/** Cards with their circuits, and the alternative methods that the rules name; the first rule with an action decides about each. */
export function decidePageMethods(rules: readonly PageRule[]): PageMethod[] {
  const circuits = allCircuits.filter((circuit) => takenCards(rules, circuit).length > 0);
  const named = rules.filter((rule) => !isCardRule(rule)).map(({ paymentMethod = '' }) => paymentMethod);
  const isRejected = (method: string) =>
    rules.find(({ paymentMethod, action }) => paymentMethod === method && action !== undefined)?.action === 'Reject';
  const others = [...new Set(named)].filter((method) => !isRejected(method));
  const cards = circuits.length > 0 ? [{ method: 'CARDS', circuits }] : [];
  return [...cards, ...others.map((method) => ({ method, circuits: [method] }))];
}

/** What the payer pays on top with that card or method, in minor units: the closest rule that allows it and names a fee. */
export function decidePageFee(
  rules: readonly PageRule[],
  { method, card }: { method: string | null; card: KnownCard | null },
): bigint {
  return BigInt((card ? feeOfCard(rules, card) : feeOfMethod(rules, method)) ?? 0);
}

/** The fee that is shown beside a method, in minor units; null where no rule names one, and while it depends on the card. */
export function decideShownFee(rules: readonly PageRule[], method: string | null): number | null {
  if (method !== 'CARDS') return feeOfMethod(rules, method) ?? null;
  const cards = allCircuits.flatMap((circuit) => takenCards(rules, circuit));
  const fees = new Set(cards.map((card) => feeOfCard(rules, card)));
  return fees.size === 1 ? ([...fees][0] ?? null) : null;
}

function feeOfMethod(rules: readonly PageRule[], method: string | null): number | undefined {
  return closestFee(rules.filter((rule) => rule.paymentMethod === method && !isCardRule(rule)));
}

function feeOfCard(rules: readonly PageRule[], card: KnownCard): number | undefined {
  return closestFee(rules.filter((rule) => isCardRule(rule) && matches(rule, card)));
}

function closestFee(fitting: readonly PageRule[]): number | undefined {
  const closeness = ({ bin, paymentMethod }: PageRule) =>
    (bin === undefined ? 0 : 2) + (paymentMethod === undefined ? 0 : 1);
  const [closest] = fitting
    .filter((rule) => rule.action !== 'Reject' && rule.fee !== undefined)
    .sort((one, other) => closeness(other) - closeness(one));
  return closest?.fee;
}

/** The first rule about cards that fits and has an action decides; a card that none decides is refused only where one of them says Allow. */
export function isCardAllowed(rules: readonly PageRule[], card: KnownCard): boolean {
  const deciding = rules.filter((rule) => isCardRule(rule) && rule.action !== undefined);
  const first = deciding.find((rule) => matches(rule, card));
  return first ? first.action === 'Allow' : deciding.every(({ action }) => action !== 'Allow');
}

/** The cards of a circuit that rules can tell apart, as far as they are taken: one of each number range that a rule names, and one outside of them all. */
function takenCards(rules: readonly PageRule[], circuit: string): KnownCard[] {
  const bins = new Set(rules.flatMap((rule) => (isCardRule(rule) && rule.bin !== undefined ? [String(rule.bin)] : [])));
  const own = [...bins].filter((bin) => (cardBrandOf(bin)?.circuit ?? circuit) === circuit);
  return ['', ...own].map((bin) => ({ circuit, bin })).filter((card) => isCardAllowed(rules, card));
}

function isCardRule({ paymentMethod }: PageRule): boolean {
  return paymentMethod === undefined || Object.hasOwn(schemes, paymentMethod);
}

function matches(rule: PageRule, { circuit, bin }: KnownCard): boolean {
  const isScheme = rule.paymentMethod === undefined || (schemes[rule.paymentMethod] ?? []).includes(circuit);
  const isRange = rule.bin === undefined || bin.startsWith(String(rule.bin));
  return (
    isScheme &&
    isRange &&
    ordinaryCard.cardType.includes(rule.cardType ?? 'All') &&
    ordinaryCard.cardOrigin.includes(rule.cardOrigin ?? 'All') &&
    ordinaryCard.cardProductType.includes(rule.cardProductType ?? 'All')
  );
}
