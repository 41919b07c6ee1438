// The pages of the demo shop around the checkout: the shelf, an order with what became of it, and the one for what is not there.

import { type Asset, scriptTag, styleTag } from '../../pages/assets';
import { attributes, html, type Insert, type Markup } from '../../pages/html';
import { icons } from '../../pages/layout';
import { formatMoney } from '../../subgraphs/shared/money';
import { articleCountOf } from './basket';
import { type Basket, type Product, products, shopCurrency, shopName } from './catalogue';
import type { Exchange } from './rest-calls';

export interface ShopView {
  assets: { style: Asset; script: Asset };
  payUrl: string;
  basket: Basket;
}

export const money = (minor: number) => formatMoney(BigInt(minor), shopCurrency, 'en');

export function shelfPage({ assets, payUrl, basket }: ShopView): Markup {
  const count = articleCountOf(basket);
  const next =
    count === 0
      ? html`<p class="soft">Your basket is empty.</p>`
      : html`<a class="primary" href="/checkout">To the checkout (${count})</a>`;
  const body = html`<main class="shop shelf-page"><div class="hero"><h1>Paper, ink and a little light</h1><p>Small things for long evenings, made in the north.</p></div>
<ul class="shelf-list">${products.map((product) => shelfCard(product, basket))}</ul><div class="to-checkout" role="status">${next}</div></main>`;
  return frame({ assets, payUrl, title: shopName, body, page: 'shelf' });
}

function shelfCard({ id, name, text, priceMinor, picture }: Product, basket: Basket): Markup {
  const count = basket[id] ?? 0;
  return html`<li class="shelf-card">${picture}<h2>${name}</h2><p class="soft">${text}</p><p class="price">${money(priceMinor)}</p>
<form method="post" action="/basket"><button class="secondary" name="add" value="${id}">Add to basket<span class="hidden">: ${name}</span></button>${
    count > 0 ? html`<span class="soft in-basket">${count} in the basket</span>` : null
  }</form></li>`;
}

export interface OrderView {
  assets: { style: Asset; script: Asset };
  payUrl: string;
  orderId: string;
  /** What the shop asked to know how the order stands; the last one is the answer. */
  exchanges: readonly Exchange[];
  /** The payment service answers when it is asked; the gateway also tells by itself. */
  isNotified: boolean;
}

interface ShownOperation {
  operationType?: string;
  operationResult?: string;
  operationTime?: string;
}

/** The payment service's word for an operation. */
interface Transaction {
  type: string;
  result: string;
  time: string;
}

function asOperation({ type, result, time }: Transaction): ShownOperation {
  return { operationType: type, operationResult: result, operationTime: time };
}

/** Results after which the order is paid, or will be. */
const goodResults = ['AUTHORIZED', 'EXECUTED', 'THREEDS_VALIDATED'];
/** What comes first when two operations have the same second. */
const ranks = ['AUTHORIZATION', 'CARD_VERIFICATION', 'CAPTURE', 'REFUND'];

export function orderPage({ assets, payUrl, orderId, exchanges, isNotified }: OrderView): Markup {
  const answer = (exchanges.at(-1)?.answer ?? {}) as { operations?: ShownOperation[]; transactions?: Transaction[] };
  const at = ({ operationTime = '' }: ShownOperation) => operationTime.slice(0, 19);
  const rank = ({ operationType = '' }: ShownOperation) => ranks.indexOf(operationType);
  const operations = [...(answer.operations ?? []), ...(answer.transactions ?? []).map(asOperation)].sort(
    (one, other) => at(one).localeCompare(at(other)) || rank(one) - rank(other),
  );
  const has = (...results: string[]) =>
    operations.some(({ operationResult = '' }) => results.includes(operationResult));
  const isGood = has(...goodResults);
  const isOver = !isGood && !has('PENDING');
  const title = isGood
    ? 'Thank you for your order'
    : isOver
      ? 'The payment did not go through'
      : 'Your payment is on its way';
  const body = html`<main class="shop order-page"><h1>${title}</h1><p class="soft">Order <strong>${orderId}</strong></p>
<ol class="timeline">${operations.map(({ operationType, operationResult, operationTime }) => html`<li><strong>${operationType}</strong> <span class="result-chip">${operationResult}</span> <time datetime="${operationTime}">${(operationTime ?? '').slice(11, 19)}</time></li>`)}</ol>
<p>${isOver ? html`<a class="primary" href="/checkout?order=${orderId}">Try another card</a> <a class="secondary" href="/">Back to the shop</a>` : html`<a class="primary" href="/">Back to the shop</a>`}</p></main>
<aside class="counter" aria-labelledby="counter-title"><h2 id="counter-title">Behind the counter</h2>${isNotified ? html`<h3>What the shop's server was told</h3><ol id="received" class="log" data-order="${orderId}"></ol><p class="soft" id="received-status" role="status">Waiting for the notification…</p>` : null}<h3>What it asked</h3>${exchanges.map(exchangeEntry)}<ol id="exchange" class="log" data-order="${orderId}"></ol></aside>`;
  return frame({ assets, payUrl, title: `${shopName}: ${title}`, body, page: 'order' });
}

function exchangeEntry({ method, path, status, answer }: Exchange, index: number, all: readonly Exchange[]): Markup {
  return html`<details class="entry" ${attributes({ open: index === all.length - 1 })}><summary><code>${method} ${path}</code> <span class="status-chip">${status}</span></summary><pre tabindex="0">${JSON.stringify(answer, null, 2)}</pre></details>`;
}

export function missingPage({ assets, status }: { assets: ShopView['assets']; status: number }): Markup {
  const title = status === 404 ? 'There is nothing here' : 'That did not work';
  const body = html`<main class="shop order-page"><h1>${title}</h1><p><a class="primary" href="/">Back to the shop</a></p></main>`;
  return frame({ assets, payUrl: '', title, body, page: 'missing' });
}

export function frame({
  assets,
  payUrl,
  title,
  body,
  page,
}: {
  assets: ShopView['assets'];
  payUrl: string;
  title: string;
  body: Insert;
  page: string;
}): Markup {
  return html`<!doctype html>
<html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title><link rel="icon" href="/favicon.svg" type="image/svg+xml">${styleTag(assets.style)}${scriptTag(assets.script)}</head>
<body ${attributes({ 'data-pay': payUrl, 'data-page': page })}><header class="bar"><a class="brand" href="/">${icons.bag}<span>${shopName}</span></a><span class="demo">Demo shop of the sandbox</span></header>
<div class="columns">${body}</div></body></html>
`;
}
