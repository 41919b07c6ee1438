// What a document costs to judge: no more than it is long, whatever its fragments would unfold to.
import { getIntrospectionQuery, parse, type Source } from 'graphql';
import { readDocument } from '../../gateway/plan/document-check';
import { measureDocument } from '../../gateway/plan/document-size';
import { bombs, nestedFragments } from './bombs';

const sizeOf = (text: string | Source) => measureDocument(parse(text));
/** Selections as they are written. */
const written = (text: string) => [...text.matchAll(/[\w)\]"}] *(?=\.\.\.|\w|})/g)].length;

describe('the work of measuring', () => {
  it.each([4, 8, 16, 22, 60])('looks at each selection once with fragments nested %d levels deep', (levels) => {
    const { visits } = sizeOf(nestedFragments(levels));
    // Two spreads in each fragment, the field in the last, the root field and its spread.
    expect(visits).toBe(2 * levels + 3);
  });

  it.each(bombs)('%s: never more than is written', (_name, text) => {
    const { visits } = sizeOf(text);
    expect(visits).toBeLessThanOrEqual(written(text) + 2);
  });
});

describe('what is served', () => {
  const product = (selection: string) => `{ product(upc: "1") { ${selection} } }`;
  const rows: [string, string][] = [
    ['the introspection of the tools', getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true })],
    ['a fragment in many places', `${product('...A '.repeat(100))} fragment A on Product { upc }`],
    ['100 objects', product(`${'... { twin { upc } } '.repeat(12)}`)],
    ['15 levels', product(`${'twin { '.repeat(13)} upc ${'} '.repeat(13)}`)],
    ['15 aliases', `{ ${Array.from({ length: 15 }, (_, at) => `a${at}: product(upc: "1") { upc }`).join(' ')} }`],
    ['50 directives', product(`upc ${'@include(if: true) '.repeat(50)}`)],
    ['20 operations', Array.from({ length: 20 }, (_, at) => `query Q${at} { __typename }`).join(' ')],
    ['a name of 128 characters', `{ ${'a'.repeat(128)}: __typename }`],
    ['10 240 bytes', `{ __typename } #${'x'.repeat(10 * 1024 - 16)}`],
  ];
  it.each(rows)('%s', (_name, text) => {
    expect(readDocument(text)).toMatchObject({ kind: 'Document' });
  });

  it('says everything that is too much at once', () => {
    const { faults } = sizeOf(
      `{ ${Array.from({ length: 30 }, (_, at) => `a${at}: product(upc: "1") { ${'twin { '.repeat(15)} upc ${'} '.repeat(15)} }`).join(' ')} }`,
    );
    expect(faults.join('; ')).toMatch(/of their own.*levels.*aliases/);
  });
});
