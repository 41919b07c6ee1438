// The recipes of CONTRIBUTING.md, followed on a copy of this tree: with every step it compiles, prints its contract and passes its tests; without one it does not.
import { readFileSync } from 'node:fs';
import { followed, type Recipe, readRecipes } from './recipe';
import { copyTree, type Tree } from './tree';

let tree: Tree;
const recipes = readRecipes(readFileSync(`${__dirname}/../../CONTRIBUTING.md`, 'utf8'));

beforeAll(() => {
  tree = copyTree();
});
afterAll(() => tree.remove());

/** Follows all recipes, one perhaps without one of its steps; every file that was touched. */
function follow(left?: { recipe: Recipe; step: number }): string[] {
  const steps = recipes.flatMap((recipe) =>
    recipe === left?.recipe ? recipe.steps.filter((_step, index) => index !== left.step) : recipe.steps,
  );
  const texts = followed(steps, tree.original);
  tree.write(texts);
  return [...texts.keys()];
}

test('there are those for a path, a field, a callback kind and a subgraph', () => {
  expect(recipes.map(({ title }) => title)).toEqual([
    'A path',
    'A field with its event',
    'A callback kind',
    'A subgraph',
  ]);
});

test('with every step they compile, print their contract and pass their tests', () => {
  const touched = follow();
  expect(tree.typeFaults(touched)).toEqual([]);
  expect(tree.printContract()).toBe('');
  expect(tree.test(recipes.flatMap(({ tests }) => tests))).toBe('');
});

/** The step that no compiler asks for, by recipe. */
const unseen: Readonly<Record<string, number>> = {
  'A path': 0,
  'A field with its event': 3,
  'A callback kind': 1,
  'A subgraph': 3,
};

test.each(recipes.map((recipe) => [recipe.title, recipe] as const))(
  '%s without a step is found out',
  (title, recipe) => {
    const touched = follow({ recipe, step: unseen[title] ?? 0 });
    const faults = tree.typeFaults(touched);
    expect(faults.length > 0 || tree.test(recipe.tests) !== '').toBe(true);
  },
);
