// What the explorer opens with: no example asks about nothing, and each id that exists is put in.
import { readyExamples } from '../../gateway/graphiql/open-ids';

const known = { merchantId: 'm-1', operationId: '', virtualAccountId: '', callbackId: 'c-1' };
const example = (variables: object) => ({ query: 'query', variables: JSON.stringify(variables) });

test('an example whose id does not exist yet is left out; the others have theirs', () => {
  const examples = [
    example({ first: 5 }),
    example({ virtualAccountId: '' }),
    example({ merchantId: '', after: null }),
    example({ callbackId: '', reason: 'The receiver is mended' }),
    example({ operationId: '' }),
  ];
  expect(readyExamples(examples, known).map(({ variables }) => JSON.parse(variables))).toEqual([
    { first: 5 },
    { merchantId: 'm-1', after: null },
    { callbackId: 'c-1', reason: 'The receiver is mended' },
  ]);
});
