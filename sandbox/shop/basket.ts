// The basket of the demo shop, kept in a cookie of the shop: a count of each product, read with suspicion.
import { type Basket, products, readBasket } from './catalogue';

export const basketCookieName = 'basket';
const cookieSecondsMax = 24 * 3_600;

/** Reads `notebook.2-pen.1`; what is no count of ours is 0. */
export function basketOf(cookie: string): Basket {
  return readBasket(Object.fromEntries(cookie.split('-').map((part) => part.split('.') as [string, string])));
}

/** Set-Cookie of a basket; an empty one is forgotten. */
export function basketCookie(basket: Basket): string {
  const value = products
    .filter(({ id }) => (basket[id] ?? 0) > 0)
    .map(({ id }) => `${id}.${basket[id]}`)
    .join('-');
  return `${basketCookieName}=${value}; Path=/; Max-Age=${value ? cookieSecondsMax : 0}; HttpOnly; SameSite=Lax`;
}

/** One more of a product, nine at most; a product that is not sold changes nothing. */
export function withOneMore(basket: Basket, id: string): Basket {
  if (!products.some((product) => product.id === id)) return basket;
  return { ...basket, [id]: Math.min(9, (basket[id] ?? 0) + 1) };
}

export function articleCountOf(basket: Basket): number {
  return Object.values(basket).reduce((sum, count) => sum + count, 0);
}
