// What a terminal makes of a request: capture, currency, method, origin (hosted checkout, captureType resolution; 2.2-B of the decision register).
import { captureTypes } from '../../subgraphs/payments/payment/payment';
import {
  assertSafeReturns,
  captureResolution,
  decideCaptureType,
  decideCurrency,
  decideMerchantOrigin,
  decideMethod,
} from '../../subgraphs/payments/terminal-rules';
import { refusal } from './order-reading';

describe('what the terminal decides', () => {
  it.each(captureTypes.flatMap((terminal) => [null, ...captureTypes].map((sent) => [terminal, sent] as const)))(
    'terminal %s, sent %s',
    (terminal, sent) => {
      const isPossible = terminal !== 'IMPLICIT' || sent === null || sent === 'IMPLICIT';
      if (isPossible) expect(decideCaptureType(terminal, sent)).toBe(sent ?? terminal);
      else
        expect(refusal(() => decideCaptureType(terminal, sent))).toEqual(['invalidData', 'paymentSession.captureType']);
    },
  );

  it('has one row for each possible pair', () => {
    expect(new Set(captureResolution.map(([terminal, sent]) => `${terminal} ${sent}`)).size).toBe(
      captureResolution.length,
    );
  });

  it('the currency', () => {
    expect(decideCurrency(null, { currencies: ['DKK', 'EUR'] })).toBe('DKK');
    expect(decideCurrency('EUR', { currencies: ['DKK', 'EUR'] })).toBe('EUR');
    expect(refusal(() => decideCurrency('USD', { currencies: ['DKK'] }))).toEqual([
      'currencyInvalid',
      'order.currency',
    ]);
  });

  it('the method', () => {
    const terminal = { methods: [{ method: 'CARDS', circuits: [] }] };
    expect([decideMethod(null, terminal), decideMethod('CARDS', terminal)]).toEqual([null, 'CARDS']);
    for (const service of ['PAYPAL', 'CASH', 'cards', ''])
      expect(refusal(() => decideMethod(service, terminal))).toEqual(['invalidData', 'paymentSession.paymentService']);
  });

  it.each([
    [null, null],
    ['https://shop.example/back', null],
    ['http://localhost:3000/back', null],
    ['http://[::1]/back', null],
    ['http://shop.example/back', ['invalidData', 'resultUrl']],
    ['HTTP://SHOP.example', ['invalidData', 'resultUrl']],
    ['http://localhost.shop.example/', ['invalidData', 'resultUrl']],
    ['http://127.0.0.1.shop.example/', ['invalidData', 'resultUrl']],
  ])('the way back in production: %s', (resultUrl, expected) => {
    const decide = (isSandbox: boolean) => refusal(() => assertSafeReturns({ cancelUrl: null, resultUrl }, isSandbox));
    expect(decide(false)).toEqual(expected);
    expect(decide(true)).toBeNull();
  });

  it('the origin', () => {
    const terminal = { origins: ['https://shop.example'] };
    const origin = (url: string | null, isSandbox = true) => decideMerchantOrigin(url, terminal, isSandbox);
    expect(origin(null)).toBe('https://shop.example');
    expect(origin('https://shop.example/')).toBe('https://shop.example');
    expect(origin('HTTPS://SHOP.example')).toBe('https://shop.example');
    expect(origin('http://localhost:3000')).toBe('http://localhost:3000');
    const wrong = [
      '',
      'shop.example',
      'https://shop.example/path',
      'https://shop.example?a',
      'https://u:p@shop.example',
      'https://other.example',
    ];
    for (const url of [...wrong, 'http://shop.example', 'https://shop.example:8443', 'https://127.0.0.1', 'null'])
      expect(refusal(() => origin(url))).toEqual(['originNotRegistered', 'merchantUrl']);
    expect(refusal(() => origin('http://localhost:3000', false))).toEqual(['originNotRegistered', 'merchantUrl']);
  });
});
