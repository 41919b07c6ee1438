// What the explorer opens with: no example asks about nothing or does what is not allowed, and each id that exists is put in.
import { readyExamples } from '../../gateway/graphiql/open-ids';

const ids = { merchantId: 'm-1', operationId: '', virtualAccountId: '', callbackId: 'c-1' };
const known = { ids, rights: ['callbacks:write'] };
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

test('an act is offered to whoever may do it', () => {
  const acts = [{ ...example({ callbackId: '' }), right: 'callbacks:write' }, example({ first: 5 })];
  const offered = (rights: string[]) => readyExamples(acts, { ids, rights }).map(({ variables }) => variables.length);
  expect(offered(['callbacks:read', 'callbacks:write'])).toHaveLength(2);
  expect(offered(['callbacks:read'])).toHaveLength(1);
  expect(offered([])).toHaveLength(1);
});
