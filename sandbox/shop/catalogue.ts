// What the demo shop sells: three things with drawings of our own, and a basket that is a count of each.
import { type Markup, raw } from '../../pages/html';

export interface Product {
  id: string;
  name: string;
  text: string;
  /** Minor units of the shop's currency. */
  priceMinor: number;
  picture: Markup;
}

export const shopName = 'Nordlys Paper & Ink';
export const shopCurrency = 'EUR';

const drawing = (inside: string) =>
  raw(`<svg viewBox="0 0 120 90" aria-hidden="true" focusable="false" class="picture">${inside}</svg>`);

export const products: readonly Product[] = [
  {
    id: 'notebook',
    name: 'Notebook A5',
    text: '160 dotted pages, lies flat',
    priceMinor: 1_200,
    picture: drawing(
      '<rect class="p1" x="34" y="12" width="52" height="66" rx="5"/><rect class="p2" x="34" y="12" width="10" height="66" rx="4"/><rect class="p3" x="54" y="28" width="24" height="12" rx="2"/><path class="line" d="M96 20v50"/>',
    ),
  },
  {
    id: 'pen',
    name: 'Fountain pen',
    text: 'Steel nib, fine',
    priceMinor: 1_500,
    picture: drawing(
      '<g transform="rotate(-32 60 45)"><rect class="p2" x="18" y="38" width="52" height="14" rx="7"/><rect class="p1" x="62" y="38" width="24" height="14" rx="3"/><path class="p3" d="M86 40l20 5-20 5z"/></g><path class="line" d="M20 78c18-8 34 6 52-2"/>',
    ),
  },
  {
    id: 'stickers',
    name: 'Sticker sheet',
    text: 'Nine northern lights',
    priceMinor: 350,
    picture: drawing(
      '<rect class="p3" x="30" y="14" width="60" height="62" rx="6"/><circle class="p1" cx="46" cy="32" r="9"/><circle class="p2" cx="74" cy="32" r="9"/><circle class="p2" cx="46" cy="58" r="9"/><path class="p1" d="M74 48l3 7 8 .5-6 5 2 8-7-4.500-7 4.500 2-8-6-5 8-.5z"/>',
    ),
  },
];

export type Basket = Readonly<Record<string, number>>;
const countMax = 9;

/** Reads `notebook=2&pen=1`; what is no count from 0 to 9 is 0. */
export function readBasket(form: Readonly<Record<string, string>>): Basket {
  return Object.fromEntries(
    products.map(({ id }) => {
      const count = Number(form[id] ?? 0);
      return [id, Number.isInteger(count) && count > 0 && count <= countMax ? count : 0];
    }),
  );
}

export function totalMinor(basket: Basket): number {
  return products.reduce((sum, { id, priceMinor }) => sum + priceMinor * (basket[id] ?? 0), 0);
}

/** Lines of the basket as the payment page shows them. */
export function summaryOf(basket: Basket, money: (minor: number) => string): { label: string; value: string }[] {
  return products
    .filter(({ id }) => (basket[id] ?? 0) > 0)
    .map(({ id, name, priceMinor }) => {
      const count = basket[id] ?? 0;
      return { label: count > 1 ? `${name} × ${count}` : name, value: money(priceMinor * count) };
    });
}
