// The search for secrets finds what it must, in every shape and at every place: a proof that finds nothing is worth what this is worth.
import { createSearch, shapesOf } from './needles';

const card = '4929123456781234';

test.each([...shapesOf(card)].map(([shape, bytes]) => [shape, bytes] as const))(
  'finds a card number %s',
  (shape, bytes) => {
    const search = createSearch([{ name: 'card', value: card }]);
    for (const around of ['', 'x', 'xyz', '"account":"']) {
      const hidden = Buffer.concat([Buffer.from(around), bytes, Buffer.from('"}')]);
      expect(search.findIn(hidden)).toContain(`card (${shape})`);
    }
  },
);

test.each([0, 1, 2])('finds it inside base64 of something longer that begins %d bytes before', (before) => {
  const search = createSearch([{ name: 'card', value: card }]);
  const text = Buffer.from(`${'#'.repeat(before)}${card}###`).toString('base64');
  expect(search.findIn(Buffer.from(text)).length).toBeGreaterThan(0);
});

test.each(['', '4929123456781235', card.slice(0, -1), Buffer.from('another').toString('base64')])(
  'finds nothing in %j',
  (text) => {
    expect(createSearch([{ name: 'card', value: card }]).findIn(Buffer.from(text))).toEqual([]);
  },
);
