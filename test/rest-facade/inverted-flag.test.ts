// The inverted flags of the merchant administration, both ways (decision register T4): 0 is on, 1 is off, and nothing else is anything.
import { activeFlag, invoicingFlag } from '../../rest-facade/inverted-flag';
import fc from '../support/properties';

describe.each([
  ['active', activeFlag, 'ACTIVE', 'INACTIVE'],
  ['enableInvoicing', invoicingFlag, 'ENABLED', 'DISABLED'],
] as const)('%s', (_name, flag, on, off) => {
  it('means what the contract says', () => {
    expect([flag.read(0), flag.read(1), flag.print(on as never), flag.print(off as never)]).toEqual([on, off, 0, 1]);
  });

  it('comes back as it went, from either side', () => {
    fc.assert(fc.property(fc.constantFrom(0, 1), (integer) => flag.print(flag.read(integer) as never) === integer));
    fc.assert(fc.property(fc.constantFrom(on, off), (word) => flag.read(flag.print(word as never)) === word));
  });

  it('is refused as anything else', () => {
    const other = fc.anything().filter((value) => value !== 0 && value !== 1);
    fc.assert(
      fc.property(other, (value) => {
        expect(() => flag.read(value)).toThrow(expect.objectContaining({ code: 'invalidInput' }));
      }),
    );
    fc.assert(
      fc.property(
        fc.integer().filter((value) => value !== 0 && value !== 1),
        (value) => {
          expect(() => flag.read(value)).toThrow(expect.objectContaining({ code: 'invalidInput' }));
        },
      ),
    );
  });
});
