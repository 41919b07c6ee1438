// Documents made to cost more than they are long, for a graph that has `product(upc)` with `twin { ... }` and `upc`.

/** Fragments that each spread the next one twice: the last stands there 2 to the power of their number times. */
export function nestedFragments(levels: number): string {
  const fragments = Array.from(
    { length: levels },
    (_, at) => `fragment F${at} on Product { ...F${at + 1} ...F${at + 1} }`,
  );
  return `{ product(upc: "1") { ...F0 } } ${fragments.join(' ')} fragment F${levels} on Product { upc }`;
}

const times = (count: number, part: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join(' ');
const product = (selection: string) => `{ product(upc: "1") { ${selection} } }`;

/** Name, document, what the refusal says. */
export const bombs: readonly (readonly [string, string, RegExp])[] = [
  ['fragments that spread each other twice', nestedFragments(22), /selections/],
  ['the same, never used', `{ __typename } ${nestedFragments(22).slice(product('...F0').length)}`, /selections/],
  [
    'fields in such fragments',
    nestedFragments(22).replace(/fragment (F\d+) on Product {/g, 'fragment $1 on Product { twin { upc }'),
    /selection of their own/,
  ],
  ['a fragment that spreads itself', `${product('...A')} fragment A on Product { twin { ...A } }`, /spreads itself/],
  [
    'fragments in a circle',
    `${product('...A')} fragment A on Product { ...B } fragment B on Product { ...A }`,
    /spreads itself/,
  ],
  ['one field again and again', product('upc '.repeat(300)), /again and again/],
  ['one field again and again below another', product('twin { upc } '.repeat(99)), /again and again|of their own/],
  [
    'one field again and again through fragments',
    `${product(times(110, () => '...A'))} fragment A on Product { upc }`,
    /again and again/,
  ],
  ['aliases', `{ ${times(16, (at) => `a${at}: product(upc: "1") { upc }`)} }`, /16 aliases/],
  ['aliases of the schema', `{ ${times(16, (at) => `a${at}: __schema { description }`)} }`, /16 aliases/],
  ['directives of one field', product(`upc ${'@a '.repeat(51)}`), /51 directives/],
  [
    'directives in fragments',
    `${product(times(30, () => '...A @a'))} fragment A on Product { upc @b }`,
    /60 directives/,
  ],
  ['levels', product(`${'twin { '.repeat(14)} upc ${'} '.repeat(14)}`), /levels/],
  [
    'nested objects side by side',
    product(times(101, (at) => `... { twin { upc${at % 2 ? ' name' : ''} } }`)),
    /selection of their own/,
  ],
  [
    'types of fields of types',
    '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
    /objects of the schema/,
  ],
  [
    'the schema under several names',
    `{ ${times(15, (at) => `a${at}: __schema { types { fields { type { fields { name } } } } }`)} }`,
    /objects of the schema/,
  ],
  ['operations', times(21, (at) => `query Q${at} { __typename }`), /21 operations/],
  ['a very long name', `{ ${'a'.repeat(129)}: __typename }`, /129 characters/],
  ['a very long name of a variable', `query($${'a'.repeat(129)}: ID) { __typename }`, /129 characters/],
  ['a very long text', `{ product(upc: "${'1'.repeat(10 * 1024)}") { upc } }`, /10240 are served/],
  ['tokens', `{ ${times(1_000, (at) => `a${at}`)} }`, /1000 tokens/],
  ['variables', `query(${times(240, (at) => `$v${at}: ID`)}) { __typename }`, /never used/],
  ['lists in lists', `{ product(upc: ${'['.repeat(400)}${']'.repeat(400)}) { upc } }`, /ID cannot represent/],
];
