// The checkout of the demo shop: the basket, the ways to pay, what a merchant decides per order, and what goes on behind the counter beside it.
import { attributes, html, type Markup } from '../../pages/html';
import { icons } from '../../pages/layout';
import { articleCountOf } from './basket';
import { type Basket, type Product, products, shopName, totalMinor } from './catalogue';
import { codeSamples } from './code-samples';
import { frame, money, type ShopView } from './shop-view';

export interface CheckoutView extends ShopView {
  notice: 'cancelled' | 'failed' | null;
  /** The order that is tried again with another card; empty for a new one. */
  again: string;
}

export function checkoutPage({ assets, payUrl, basket, notice, again }: CheckoutView): Markup {
  const title = `${shopName}: checkout`;
  if (articleCountOf(basket) === 0) {
    const empty = html`<main class="shop order-page"><h1>Your basket is empty</h1><p><a class="primary" href="/">To the shelf</a></p></main>`;
    return frame({ assets, payUrl, title, body: empty, page: 'empty' });
  }
  const body = html`<main class="shop">
${notice === 'cancelled' ? html`<p class="notice" role="status">You cancelled the payment. Your basket is still here.</p>` : null}
${notice === 'failed' ? html`<p class="notice bad" role="alert">The order could not be made. See what the platform said behind the counter.</p>` : null}
<form id="checkout" method="post" action="/pay/hosted" novalidate>${again ? html`<input type="hidden" name="orderId" id="order-id" value="${again}">` : null}
<section class="shelf" aria-labelledby="basket-title"><h1 id="basket-title">Your basket</h1><ul class="products">${products
    .filter(({ id }) => (basket[id] ?? 0) > 0)
    .map((product) => productCard(product, basket))}</ul>
<p class="total"><span>Total</span><output id="total" name="total">${money(totalMinor(basket))}</output></p></section>
<section class="till" aria-labelledby="pay-title"><h2 id="pay-title">Payment</h2>
${ways()}
<div id="own-page" class="own" hidden><div id="fields" class="fields"></div>
<p id="field-status" class="field-status" role="status" aria-live="polite"></p>
<button type="button" id="pay" class="primary">${icons.lock}<span id="pay-label">Pay ${money(totalMinor(basket))}</span></button>
<button type="button" id="give-up" class="plain">Cancel this payment</button></div>
<div id="other-page"><p class="soft">You continue on a secure page and come back here afterwards.</p>
<button class="primary" id="go-hosted" formaction="/pay/hosted">Continue to the hosted page</button>
<button class="secondary" id="go-service" formaction="/pay/service">Continue to the payment service page</button>
<p id="other-status" class="field-status" role="status"></p></div>
<div id="result" class="result" hidden tabindex="-1" aria-live="polite"></div></section>
${settings()}</form></main>
${counter()}`;
  return frame({ assets, payUrl, title, body, page: 'checkout' });
}

function productCard({ id, name, text, priceMinor, picture }: Product, basket: Basket): Markup {
  const count = attributes({
    id: `count-${id}`,
    name: id,
    type: 'number',
    min: 0,
    max: 9,
    step: 1,
    value: basket[id] ?? 0,
    inputmode: 'numeric',
    'data-price': priceMinor,
  });
  return html`<li class="product product-${id}">${picture}<div class="product-text"><h2>${name}</h2><p class="soft">${text}</p><p class="price">${money(priceMinor)}</p></div><label class="count" for="count-${id}"><span>Quantity<span class="hidden"> of ${name}</span></span><input ${count}></label></li>`;
}

function ways(): Markup {
  const options = [
    ['fields', 'Card fields', 'A frame each, in this page'],
    ['combined', 'One card frame', 'All fields in one frame'],
    ['hosted', 'Hosted page', 'Of the checkout gateway'],
    ['service', 'Payment service', 'Its page, other interface'],
    ['PAYPAL', 'PayPal', 'At the method itself'],
    ['MYBANK', 'MyBank', 'At the method itself'],
  ];
  return html`<fieldset class="ways" id="ways"><legend>How to pay</legend>${options.map(
    ([value, label, text]) =>
      html`<label class="way"><input ${attributes({ type: 'radio', name: 'way', value, checked: value === 'hosted' })}><span class="way-text"><strong>${label}</strong><span class="soft">${text}</span></span></label>`,
  )}</fieldset>`;
}

function themes(): Markup {
  const options = [
    ['shop', "The shop's own"],
    ['plain', 'Follow the device'],
    ['paper', 'Paper'],
    ['night', 'Night'],
    ['mint', 'Mint'],
    ['contrast', 'High contrast'],
  ];
  return html`<label class="theme" for="theme"><span>Look of the fields</span><select id="theme">${options.map(
    ([value, label]) => html`<option value="${value}">${label}</option>`,
  )}</select></label>`;
}

/** What a merchant decides per order; here to be tried out. */
function settings(): Markup {
  const languages = [
    ...([
      'eng English',
      'dan Dansk',
      'nld Nederlands',
      'est Eesti',
      'fin Suomi',
      'fra Français',
      'deu Deutsch',
    ] as const),
    ...(['ita Italiano', 'lav Latviešu', 'lit Lietuvių', 'nob Norsk', 'pol Polski', 'por Português'] as const),
    ...(['rus Русский', 'spa Español', 'swe Svenska'] as const),
  ];
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[]) =>
    html`<label for="${name}"><span>${label}</span><select id="${name}" name="${name}">${options.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select></label>`;
  return html`<details class="settings"><summary>Settings of this order</summary><div class="grid">${themes()}${choice(
    'capture',
    'Capture',
    [
      ['implicit', 'At once'],
      ['explicit', 'Later'],
    ],
  )}${choice('version', 'Flow version', [
    ['1', '1: check in the last field'],
    ['3', '3: after the button'],
  ])}${choice(
    'language',
    'Language',
    languages.map((each) => [each.slice(0, 3), each.slice(4)] as const),
  )}${choice('fault', 'Try a failure', [
    ['', 'None'],
    ['integrity', 'Script with another integrity value'],
    ['origin', 'Page of another origin'],
    ['blocked', 'Frame that may not be framed here'],
    ['expired', 'Session that has ended'],
  ])}</div></details>`;
}

/** The developer's side: the exchange, the events, the code. */
function counter(): Markup {
  return html`<aside class="counter" aria-labelledby="counter-title"><h2 id="counter-title">Behind the counter</h2>
<div class="tabs" role="tablist" aria-label="Behind the counter">${['Exchange', 'Events', 'Test cards', 'Code'].map(
    (name, index) => {
      const id = name.toLowerCase().replace(' ', '-');
      return html`<button type="button" role="tab" id="tab-${id}" ${attributes({ 'aria-controls': `panel-${id}`, 'aria-selected': index === 0 ? 'true' : 'false', tabindex: index === 0 ? 0 : -1 })}>${name}</button>`;
    },
  )}</div>
<div role="tabpanel" id="panel-exchange" aria-labelledby="tab-exchange" tabindex="0"><p class="soft empty">Calls of the shop's server appear here.</p><ol id="exchange" class="log"></ol></div>
<div role="tabpanel" id="panel-events" aria-labelledby="tab-events" tabindex="0" hidden><p class="soft empty">Events of the field script appear here.</p><ol id="events" class="log"></ol></div>
<div role="tabpanel" id="panel-test-cards" aria-labelledby="tab-test-cards" tabindex="0" hidden>${cardList()}</div>
<div role="tabpanel" id="panel-code" aria-labelledby="tab-code" tabindex="0" hidden>${codeSamples.map(({ title, code }) => html`<h3>${title}</h3><pre tabindex="0"><code>${code}</code></pre>`)}</div></aside>`;
}

function cardList(): Markup {
  const cards = [
    ['4242 4242 4242 4242', 'authorized'],
    ['5555 5555 5555 4444', 'authorized'],
    ['4000 0025 0000 3155', 'challenge, then authorized'],
    ['4000 0084 0000 1629', 'challenge, then declined'],
    ['4000 0000 0000 3220', 'challenge that always fails'],
    ['4000 0000 0000 0002', 'declined'],
    ['4000 0000 0000 9995', 'insufficient funds'],
    ['4100 0000 0000 0019', 'denied by risk'],
    ['4000 0000 0000 0119', 'technical failure'],
    ['4000 0000 0000 0077', 'pending, 3 s later authorized'],
    ['4000 0000 0000 0259', 'no answer, later authorized'],
    ['3782 822463 10005', 'American Express, four-digit code'],
  ];
  return html`<p class="soft">Any future expiry date, any security code of the right length.</p><ul class="cards">${cards.map(
    ([number, text]) =>
      html`<li><code>${number}</code><span class="soft">${text}</span><button type="button" class="copy" data-copy="${number}">Copy<span class="hidden"> ${number}</span></button></li>`,
  )}</ul>`;
}
