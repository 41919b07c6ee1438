// Every regular expression of the product: literals, `new RegExp` with constant parts, and `pattern` in the OpenAPI files, gathered for the checker.
import ts from 'typescript';
import { parse } from 'yaml';
import { filesBelow, lineOf, nodesOf, parsed, productRooms, type SourceFile, sourceFiles } from './source-files';

export interface Pattern {
  /** `/source/flags`: what the record of judgements is keyed by. */
  key: string;
  source: string;
  flags: string;
  /** `path:line`, of the first place. */
  where: string;
}

export interface Patterns {
  known: Map<string, Pattern>;
  /** `new RegExp` of something that only a run knows: `path:line: text`, which a person has to judge. */
  unknown: { where: string; text: string }[];
}

/** All patterns of the product rooms and of its OpenAPI files, each once. */
export function patternsOfTheProduct(): Patterns {
  const found: Patterns = { known: new Map(), unknown: [] };
  for (const file of sourceFiles)
    if (productRooms.some((room) => file.path.startsWith(`${room}/`))) addPatternsOf(file, found);
  for (const path of filesBelow('rest-facade/openapi', /\.yaml$/))
    for (const source of schemaPatterns(parse(parsed(path).text))) add(found, { source, flags: 'u', where: path });
  return found;
}

/** Adds what one file has. */
export function addPatternsOf(file: SourceFile, found: Patterns): void {
  const constants = constantsOf(file);
  for (const node of nodesOf(file.ast)) {
    if (ts.isRegularExpressionLiteral(node)) add(found, { ...partsOf(node.text), where: placeOf(file, node) });
    else if (isRegExpCall(node)) {
      const where = placeOf(file, node);
      const [body, flags] = node.arguments ?? [];
      const source = body && textOf(body, constants);
      const text = flags ? textOf(flags, constants) : '';
      if (source === undefined || text === undefined) found.unknown.push({ where, text: oneLine(node.getText()) });
      else add(found, { source, flags: text, where });
    }
  }
}

const placeOf = (file: SourceFile, node: ts.Node) => `${file.path}:${lineOf(file, node)}`;

function add({ known }: Patterns, { source, flags, where }: Omit<Pattern, 'key'>): void {
  const key = `/${source}/${flags}`;
  if (!known.has(key)) known.set(key, { key, source, flags, where });
}

function isRegExpCall(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  return (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'RegExp'
  );
}

function partsOf(literal: string): { source: string; flags: string } {
  const end = literal.lastIndexOf('/');
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) };
}

/** Names that a file gives to something constant, with what they are. */
function constantsOf(file: SourceFile): Map<string, ts.Expression> {
  const constants = new Map<string, ts.Expression>();
  for (const node of nodesOf(file.ast))
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer && isConst(node))
      constants.set(node.name.text, node.initializer);
  return constants;
}

function isConst(node: ts.VariableDeclaration): boolean {
  return ts.isVariableDeclarationList(node.parent) && (node.parent.flags & ts.NodeFlags.Const) !== 0;
}

/** The text that an expression always has, or undefined. */
function textOf(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isRegularExpressionLiteral(node)) return partsOf(node.text).source;
  if (ts.isIdentifier(node)) {
    const constant = constants.get(node.text);
    return constant && textOf(constant, constants);
  }
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') return textOf(node.expression, constants);
  if (ts.isTaggedTemplateExpression(node)) return rawText(node.template, constants);
  return ts.isTemplateExpression(node) ? templateText(node, constants) : undefined;
}

function templateText(node: ts.TemplateExpression, constants: ReadonlyMap<string, ts.Expression>): string | undefined {
  const spans = node.templateSpans.map(({ expression, literal }) => {
    const text = textOf(expression, constants);
    return text === undefined ? undefined : text + literal.text;
  });
  return spans.includes(undefined) ? undefined : node.head.text + spans.join('');
}

function rawText(node: ts.TemplateLiteral, constants: ReadonlyMap<string, ts.Expression>): string | undefined {
  if (ts.isNoSubstitutionTemplateLiteral(node)) return node.rawText;
  const spans = node.templateSpans.map(({ expression, literal }) => {
    const text = textOf(expression, constants);
    return text === undefined ? undefined : text + (literal.rawText ?? literal.text);
  });
  return spans.includes(undefined) ? undefined : (node.head.rawText ?? node.head.text) + spans.join('');
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** Every `pattern` of a parsed JSON schema, at any depth. */
function* schemaPatterns(value: unknown): Generator<string> {
  if (value === null || typeof value !== 'object') return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'pattern' && typeof inner === 'string') yield inner;
    else yield* schemaPatterns(inner);
  }
}
