// Which addresses are one endpoint: what names an order is left out, what names a shop or a version stays.

import { addressTemplate } from '../../subgraphs/notifications/callbacks/address-template';
import fc from '../support/properties';

const facts = {
  passing: ['order-1', '17', 'a1', '5f2b6c1e-0000-4000-8000-000000000001'],
  lasting: ['shop-4711', 'terminal-0001'],
};

test.each([
  ['https://shop.example/notify', null],
  ['https://shop.example/v1/notify?shop=1', null],
  ['https://shop.example/api/v2/merchantNotificationHandler/', null],
  ['https://shop.example/merchant-notification-callback', null],
  ['https://shop.example/shops/shop-4711/notify?terminal=terminal-0001', null],
  ['https://shop.example', null],
  ['not an address', null],
  ['https://shop.example/orders/order-1/notify', 'https://shop.example/orders/{id}/notify'],
  ['https://shop.example/orders/order%2D1/notify', 'https://shop.example/orders/{id}/notify'],
  ['https://shop.example/orders/xx-order-1.json', 'https://shop.example/orders/{id}'],
  ['https://shop.example/orders/17', 'https://shop.example/orders/{id}'],
  ['https://shop.example/orders/172', null],
  ['https://shop.example/n?order=order-1&lang=it', 'https://shop.example/n?order={id}&lang=it'],
  ['https://shop.example/n?order-1', 'https://shop.example/n?{id}'],
  ['https://shop.example/n?ref=9f31c2ab', 'https://shop.example/n?ref={id}'],
  ['https://shop.example/n/20261124', 'https://shop.example/n/{id}'],
  ['https://shop.example/n/dGhpcyBpcyBhIHRva2Vu', 'https://shop.example/n/{id}'],
  ['https://shop.example:8443/a%zz/order-1', 'https://shop.example:8443/a%zz/{id}'],
])('%s', (address, template) => {
  expect(addressTemplate(address, facts)).toBe(template ?? address);
});

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((drawn) => Buffer.from(drawn));
const upTo = (max: number) => fc.integer({ min: 0, max: max - 1 });

test.each<[string, fc.Arbitrary<string>]>([
  ['a UUID', fc.uuid({ version: 4 })],
  ['hex', bytes(16).map((drawn) => drawn.toString('hex'))],
  ['Base64URL', bytes(18).map((drawn) => drawn.toString('base64url'))],
  ['a number', upTo(1e9).map((drawn) => String(10_000 + drawn))],
  ['a serial', upTo(1e6).map((drawn) => `INV-2026-${drawn}`)],
])('any two addresses with %s in the same place are one', (_name, drawn) => {
  // As ids are: not the smallest ones again and again.
  const id = fc.noBias(drawn);
  fc.assert(
    fc.property(id, id, (one, other) => {
      const template = addressTemplate(`https://shop.example/cb/${one}?t=${other}`, { passing: [], lasting: [] });
      expect(template).toBe('https://shop.example/cb/{id}?t={id}');
    }),
    { numRuns: 200 },
  );
});
