// The order of a page's rules: which card is taken, which circuits and methods are offered, and which fee is shown (payment service, payPageConfiguration).
import {
  decidePageFee,
  decidePageMethods,
  decideShownFee,
  isCardAllowed,
  type PageRule,
} from '../../subgraphs/payments/sessions/page-rules';

/** Rules in words: scheme or method, first digits, action, +fee, each where it is said. */
function rulesOf(words: string): PageRule[] {
  if (words === '') return [];
  return words.split(', ').map((rule) => Object.fromEntries(rule.split(' ').map(memberOf)) as PageRule);
}

function memberOf(word: string): [keyof PageRule, string | number] {
  if (/^\d+$/.test(word)) return ['bin', Number(word)];
  if (word.startsWith('+')) return ['fee', Number(word)];
  return [word === 'Allow' || word === 'Reject' ? 'action' : 'paymentMethod', word];
}

const everyCircuit = 'VISA MC AMEX DINERS DISCOVER';

it.each([
  ['424242 Allow, VISA Reject', true],
  ['400000 Allow, VISA Reject', false],
  ['VISA Reject, 424242 Allow', false],
  ['VISA Allow, VISA Reject', true],
  ['VISA Allow, Reject', true],
  ['MASTERCARD Allow, Reject', false],
  ['MASTERCARD Allow, VISA +150', false],
  ['MASTERCARD +150', true],
  ['VISA +150, VISA Reject', false],
  ['VISA +150, VISA Allow', true],
  ['INVOICE Allow', true],
])('%s: 4242 4242 4242 4242 is taken: %s', (words, isAllowed) => {
  expect(isCardAllowed(rulesOf(words), { circuit: 'VISA', bin: '4242424242424242' })).toBe(isAllowed);
});

it.each([
  ['', everyCircuit],
  ['VISA +150', everyCircuit],
  ['INVOICE Allow', everyCircuit],
  ['VISA 4242 Reject', everyCircuit],
  ['4242 Reject, VISA Reject', 'MC AMEX DINERS DISCOVER'],
  ['4242 Reject, VISA Allow', 'VISA'],
  ['4242 Allow', 'VISA'],
  ['4242 Allow, VISA Reject', 'VISA'],
  ['42 Reject, 4242 Allow', ''],
  ['VISA Reject, 4242 Allow', ''],
  ['55 Allow, DINERS Allow, Reject', 'MC DINERS DISCOVER'],
  ['AMEX Allow, Reject', 'AMEX'],
])('%s: offers the circuits %s', (words, circuits) => {
  const cards = decidePageMethods(rulesOf(words)).find(({ method }) => method === 'CARDS');
  expect(cards?.circuits.join(' ') ?? '').toBe(circuits);
});

it.each([
  ['WALLET', 'CARDS WALLET'],
  ['WALLET +5, WALLET Reject', 'CARDS'],
  ['WALLET Reject, WALLET Allow', 'CARDS'],
  ['WALLET Allow, WALLET Reject', 'CARDS WALLET'],
  ['Reject, INVOICE, WALLET', 'INVOICE WALLET'],
])('%s: offers %s', (words, methods) => {
  expect(decidePageMethods(rulesOf(words)).map(({ method }) => method)).toEqual(methods.split(' '));
});

it.each([
  ['', 'CARDS', null],
  ['+70', 'CARDS', 70],
  ['+0', 'CARDS', 0],
  ['VISA +70', 'CARDS', null],
  ['VISA Allow +70', 'CARDS', 70],
  ['MASTERCARD Reject +70', 'CARDS', null],
  ['VISA 4242 +80, VISA Allow +70', 'CARDS', null],
  ['VISA 4242 Reject +80, VISA Allow +70', 'CARDS', 70],
  ['WALLET, WALLET +40', 'WALLET', 40],
  ['WALLET Reject, WALLET +40', 'WALLET', 40],
  ['WALLET Reject +40, WALLET', 'WALLET', null],
])('%s: shows %s with the fee %s', (words, method, fee) => {
  const rules = rulesOf(words);
  expect(decideShownFee(rules, method)).toBe(fee);
  if (method !== 'CARDS') expect(decidePageFee(rules, { method, card: null })).toBe(BigInt(fee ?? 0));
});
