// The recipes of CONTRIBUTING.md as steps that a program can follow: files that are new, and lines below or instead of a line that is there.

interface Edit {
  path: string;
  /** Null: the whole file is new. */
  at: { where: 'below' | 'instead of'; line: string } | null;
  code: string;
}

export interface Recipe {
  title: string;
  steps: Edit[][];
  /** What its last line has jest run. */
  tests: string[];
}

/** Every recipe of the page, in its order. */
export function readRecipes(page: string): Recipe[] {
  const [, section = ''] = /\n## Recipes\n([\s\S]*?)\n## /.exec(page) ?? [];
  return section.split('\n### ').slice(1).map(readRecipe);
}

function readRecipe(text: string): Recipe {
  const [title = '', ...lines] = text.split('\n');
  const steps = lines
    .join('\n')
    .split(/\n(?=\d+\. )/)
    .slice(1)
    .map(readStep);
  const tests = /`npx jest ([^`]+)`/.exec(text)?.[1]?.split(' ');
  // No names would be all tests there are.
  if (!tests) throw new Error(`the recipe "${title}" names no test`);
  return { title, steps, tests };
}

/** Each block of code with the words before it; a file that is not named is that of the block before. */
function readStep(text: string): Edit[] {
  let path = '';
  return [...text.matchAll(/([\s\S]*?)\n {3}```\w+\n([\s\S]*?)\n {3}```/g)].map(([, words = '', code = '']) => {
    path = /(?:New file|In) `([^`]+)`/.exec(words)?.[1] ?? path;
    const [, where, line] = /(below|instead of) `([^`]+)`/.exec(words) ?? [];
    const at = where && line ? { where: where as 'below' | 'instead of', line } : null;
    return { path, at, code: code.replace(/^ {3}/gm, '') };
  });
}

/** The texts of all files that the steps touch; throws when a line that a step names is not there, or stands there twice. */
export function followed(steps: readonly Edit[][], read: (path: string) => string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { path, at, code } of steps.flat()) {
    if (!at) {
      texts.set(path, `${code}\n`);
      continue;
    }
    const lines = (texts.get(path) ?? read(path)).split('\n');
    const index = lines.indexOf(at.line);
    if (index < 0) throw new Error(`${path} has no line "${at.line}"`);
    if (lines.includes(at.line, index + 1)) throw new Error(`${path} has the line "${at.line}" twice`);
    lines.splice(at.where === 'below' ? index + 1 : index, at.where === 'below' ? 0 : 1, code);
    texts.set(path, lines.join('\n'));
  }
  return texts;
}
