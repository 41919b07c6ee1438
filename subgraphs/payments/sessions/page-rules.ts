// What family A's page configuration allows: methods to choose from, cards to take, fees to show (payment service, payPageConfiguration).

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

export interface PageMethod {
  method: string;
  circuits: string[];
  /** Minor units, shown beside the method. */
  feeMinor: number | null;
}

/** The rules of a configuration as it was kept. */
export function pageRulesOf(configuration: Record<string, unknown> | null): readonly PageRule[] {
  const rules = configuration?.['paymentMethodActionInfoList'];
  return Array.isArray(rules) ? (rules as PageRule[]) : [];
}

/** Cards with their circuits, and the alternative methods that the rules name. */
export function decidePageMethods(rules: readonly PageRule[]): PageMethod[] {
  const circuits = allCircuits.filter((circuit) => isCardAllowed(rules, { circuit, bin: null }));
  const cardFees = rules.filter((rule) => isCardRule(rule) && rule.fee !== undefined).map(({ fee }) => fee as number);
  const cards = { method: 'CARDS', circuits, feeMinor: new Set(cardFees).size === 1 ? (cardFees[0] ?? null) : null };
  const others = rules
    .filter((rule) => !isCardRule(rule) && rule.action !== 'Reject')
    .map(({ paymentMethod = '', fee }) => ({
      method: paymentMethod,
      circuits: [paymentMethod],
      feeMinor: fee ?? null,
    }));
  const distinct = others.filter(({ method }, index) => others.findIndex((other) => other.method === method) === index);
  return circuits.length > 0 ? [cards, ...distinct] : distinct;
}

/** What the payer pays on top with that card or method, in minor units: the closest rule that allows it and names a fee. */
export function decidePageFee(
  rules: readonly PageRule[],
  { method, card }: { method: string | null; card: { circuit: string; bin: string } | null },
): bigint {
  const fits = (rule: PageRule) =>
    card ? isCardRule(rule) && matches(rule, card) : rule.paymentMethod === method && !isCardRule(rule);
  const closeness = ({ bin, paymentMethod }: PageRule) =>
    (bin === undefined ? 0 : 2) + (paymentMethod === undefined ? 0 : 1);
  const [closest] = rules
    .filter((rule) => rule.action !== 'Reject' && rule.fee !== undefined && fits(rule))
    .sort((one, other) => closeness(other) - closeness(one));
  return BigInt(closest?.fee ?? 0);
}

/** A card is taken when no rule rejects it and, where rules allow something, one of them allows it. */
export function isCardAllowed(rules: readonly PageRule[], card: { circuit: string; bin: string | null }): boolean {
  const matching = rules.filter((rule) => isCardRule(rule) && matches(rule, card));
  if (matching.some(({ action, bin }) => action === 'Reject' && (card.bin !== null || bin === undefined))) return false;
  const allowing = rules.filter((rule) => isCardRule(rule) && rule.action !== 'Reject');
  return allowing.length === 0 || matching.some(({ action }) => action !== 'Reject');
}

function isCardRule({ paymentMethod }: PageRule): boolean {
  return paymentMethod === undefined || Object.hasOwn(schemes, paymentMethod);
}

function matches(rule: PageRule, { circuit, bin }: { circuit: string; bin: string | null }): boolean {
  const isScheme = rule.paymentMethod === undefined || (schemes[rule.paymentMethod] ?? []).includes(circuit);
  const isRange = rule.bin === undefined || bin === null || bin.startsWith(String(rule.bin));
  return (
    isScheme &&
    isRange &&
    ordinaryCard.cardType.includes(rule.cardType ?? 'All') &&
    ordinaryCard.cardOrigin.includes(rule.cardOrigin ?? 'All') &&
    ordinaryCard.cardProductType.includes(rule.cardProductType ?? 'All')
  );
}
