// What the checker of patterns could not judge, or judged without knowing what reaches the pattern: judged by a person, with the reason.

/** Patterns that stay although the checker has something against them, each with what bounds its work. */
export const boundedByHand: Readonly<Record<string, string>> = {
  [String.raw`/\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/i`]:
    'no repeat without an upper bound and no choice in it: at most 36 steps at each character',
  [String.raw`/\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b|\d(?:[ -]?\d){11,18}/gi`]:
    'no repeat without an upper bound: at most 36 and 37 steps at each character',
  [String.raw`/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|(?:\*[ -]?){9,15}(?:\d[ -]?){3}\d(?!\d)|\d+(?:[ -]\d+)*/gi`]:
    'the first two choices have upper bounds, and the third takes every run of digits whole, so that none is looked at twice',
  [String.raw`/^( {4}at (?:.* )?)(\(?)(\/[^():]+\.js|[A-Za-z]:\\[^():]+\.js):(\d+):(\d+)\)?$/`]:
    'shared/source-stack.ts gives it lines of 500 characters at most',
};

/** `new RegExp` of what only a run knows, by its text. */
export const builtByHand: Readonly<Record<string, string>> = {
  'new RegExp(`^${path}$`)': 'two constant paths of pages/health.ts',
  'new RegExp(`^/frames/${session}/${tail}$`)': 'a bounded id between constant words',
  'new RegExp(`^/pay/${session}${tail}/?$`)': 'a bounded id between constant words',
  "new RegExp(`^${path.replace(/\\./g, '\\\\.')}$`)": 'constant paths of the page server',
  'new RegExp(`^/api/${name}$`)': 'constant names of the demo shop',
  'new RegExp(`^${below}/${link}/${tail}/?$`)': 'a bounded link between constant words',
  "new RegExp(`^${parts.join('\\\\|')}${end}`)":
    'escaped literals and [^|]* between separators that those cannot hold, for the database',
  'new RegExp(`^\\\\d{${length}}$`)': 'three or four digits',
};
