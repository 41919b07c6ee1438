// Finds whose whole result is wanted go by findAll, and collections are the driver's, which it needs.
import ts from 'typescript';
import { at, lineOf, nodesOf, parsedText, productRooms, type SourceFile, sourceFiles } from './source-files';

const home = 'subgraphs/shared/store/reading.ts';
const isOfProduct = ({ path }: SourceFile) => productRooms.some((room) => path.startsWith(`${room}/`));

/** Places where a cursor of a find is read to its end at once. */
function wholeFindsIn(file: SourceFile): string[] {
  return nodesOf(file.ast)
    .filter((node) => isCallOf(node, 'toArray') && callsBelow(node).includes('find'))
    .map((node) => at(file, lineOf(file, node), 'reads all that is found by a cursor'));
}

function isCallOf(node: ts.Node, name: string): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === name
  );
}

/** What a chain of calls has called before its last one. */
function callsBelow(node: ts.Node): string[] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const { expression: target } = node.expression;
  const name =
    ts.isCallExpression(target) && ts.isPropertyAccessExpression(target.expression) && target.expression.name.text;
  return name ? [name, ...callsBelow(target)] : [];
}

it('nobody else reads a find to its end', () => {
  const faults = sourceFiles.filter((file) => isOfProduct(file) && file.path !== home).flatMap(wholeFindsIn);
  expect(faults).toEqual([]);
});

it('nobody takes a collection from mongoose', () => {
  const takers = sourceFiles.filter((file) => isOfProduct(file) && /\bconnection\.collection\b/.test(file.text));
  expect(takers.map(({ path }) => path)).toEqual([]);
});

it.each([
  ['things.find(filter).toArray()', 1],
  ['things.find(filter, options).sort(order).limit(2).toArray()', 1],
  ['things.find<Shown>(filter).toArray()', 1],
  ['things.aggregate(stages).toArray()', 0],
  ['for await (const thing of things.find(filter)) yield thing;', 0],
  ['list.find(isWanted)', 0],
])('%s: %d', (text, count) => {
  expect(wholeFindsIn(parsedText('subgraphs/access/x.repository.ts', text))).toHaveLength(count);
});
