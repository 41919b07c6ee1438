// What the tidy test measures in one file: length of functions, first sentence, escapes from the type system, reads of the environment.
import ts from 'typescript';
import { at, lineOf, nodesOf, type SourceFile } from './source-files';

export const fileLinesMax = 300;
const functionLinesMax = 60;

/** Functions longer than the limit; a nested function counts for itself, not for the one around it. */
export function longFunctions(file: SourceFile): string[] {
  const found: string[] = [];
  for (const node of nodesOf(file.ast)) {
    if (!isFunctionWithBody(node)) continue;
    const lines = ownLines(file, node);
    if (lines > functionLinesMax) found.push(at(file, lineOf(file, node), `a function of ${lines} lines`));
  }
  return found;
}

/** Spreads of what is written in the same place, `{ ...{ a, b } }`: they only keep the formatter from giving each its line. */
export function writtenSpreads(file: SourceFile): string[] {
  const isWritten = (node: ts.Node) =>
    (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) ||
    (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression));
  return placesOf(file, isWritten, 'spreads what is written there');
}

/** `...(x ? { x } : {})`, `...(x && { x })`, `...(x ?? {})`: a member that may be absent is written as one, with withoutUndefined() where absence counts. */
export function conditionalSpreads(file: SourceFile): string[] {
  const isConditional = (node: ts.Node) => {
    if (!ts.isSpreadAssignment(node)) return false;
    let spread = node.expression;
    while (ts.isParenthesizedExpression(spread) || ts.isAsExpression(spread)) spread = spread.expression;
    return ts.isConditionalExpression(spread) || (ts.isBinaryExpression(spread) && isChoice(spread));
  };
  return placesOf(file, isConditional, 'spreads members by a condition: write them, or use withoutUndefined()');
}

function isChoice({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  const { AmpersandAmpersandToken, BarBarToken, QuestionQuestionToken } = ts.SyntaxKind;
  return kind === AmpersandAmpersandToken || kind === BarBarToken || kind === QuestionQuestionToken;
}

/** Names that the file declares and exports. */
export function exportedNames({ ast }: SourceFile): string[] {
  return ast.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    return declared.flatMap((one) =>
      'name' in one && one.name && ts.isIdentifier(one.name as ts.Node) ? [(one.name as ts.Identifier).text] : [],
    );
  });
}

/** Names of the types that the file declares, for itself too. */
export function declaredTypes({ ast }: SourceFile): string[] {
  return ast.statements.flatMap((statement) =>
    ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) ? [statement.name.text] : [],
  );
}

/** By name, the files in which it is. */
export function placesOfNames(files: readonly SourceFile[], namesIn: (file: SourceFile) => string[]) {
  const places = new Map<string, string[]>();
  for (const file of files)
    for (const name of new Set(namesIn(file))) places.set(name, [...(places.get(name) ?? []), file.path]);
  return places;
}

/** What is wrong with the opening of a file, or null. */
export function openingFault(file: SourceFile): string | null {
  const first = file.lines[file.lines[0]?.startsWith('#!') ? 1 : 0] ?? '';
  const sentence = /^(?:\/\/|\/\*\*?) +(.*)$/.exec(first)?.[1] ?? '';
  if (sentence.split(' ').length < 4) return 'does not open with a sentence that says what the file is for';
  return /^[A-Z`0-9@/]|^[a-z]+[-/.]/.test(sentence) ? null : 'its first sentence does not begin like one';
}

/** `any`, `!` and silenced checks that come without a reason in a comment on the same line or the one above. */
export function unexplainedEscapes(file: SourceFile): string[] {
  const found: string[] = [];
  for (const node of nodesOf(file.ast)) {
    const what = escapeName(node);
    if (what && !hasReason(file, lineOf(file, node))) found.push(at(file, lineOf(file, node), what));
  }
  for (const [index, line] of file.lines.entries()) {
    const silenced = /\/\/ *@ts-(ignore|expect-error|nocheck)(.*)$/.exec(line);
    if (silenced && (silenced[2] ?? '').trim().length < 10) found.push(at(file, index + 1, `@ts-${silenced[1]}`));
  }
  return found;
}

/** Places that read `process.env`; giving a variable to a package that knows no other way is no read. */
export function environmentReads(file: SourceFile): string[] {
  const isRead = (node: ts.Node) => isProperty(node, 'process', 'env') && !isAssigned(node.parent);
  return placesOf(file, isRead, 'reads process.env');
}

function isAssigned(node: ts.Node): boolean {
  const { parent } = node;
  const isAssignment = ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return isAssignment && parent.left === node;
}

/** Calls of the global `fetch`, and of request functions of node's own HTTP client. */
export function ownHttpCalls(file: SourceFile): string[] {
  const isCall = (node: ts.Node) => {
    if (!ts.isCallExpression(node)) return false;
    const called = node.expression;
    if (ts.isIdentifier(called)) return called.text === 'fetch';
    return ['http', 'https'].some((name) => isProperty(called, name, 'request') || isProperty(called, name, 'get'));
  };
  return placesOf(file, isCall, 'makes an HTTP call of its own');
}

/** Folders made with mkdir's own `recursive`, which never comes back from a path that cannot be walked: app/data-files.ts does. */
export function recursiveFolders(file: SourceFile): string[] {
  const isCall = (node: ts.Node) =>
    ts.isCallExpression(node) &&
    /\bmkdir(?:Sync)?$/.test(node.expression.getText(file.ast)) &&
    node.arguments.some((argument) => /\brecursive\b/.test(argument.getText(file.ast)));
  return placesOf(file, isCall, "makes folders by mkdir's own recursive");
}

/** Keys made in a file that shows some as JWK, and not by way of their DER or PEM: node may freeze (subgraphs/shared/crypto/rsa-key.ts). */
export function freezingKeys(file: SourceFile): string[] {
  if (!/format: 'jwk'/.test(file.text)) return [];
  const isCall = (node: ts.Node) =>
    ts.isCallExpression(node) &&
    /\bgenerateKeyPair(?:Sync)?$/.test(node.expression.getText(file.ast)) &&
    !node.arguments.some((argument) => /\b(?:privateKeyEncoding|asDer)\b/.test(argument.getText(file.ast)));
  return placesOf(file, isCall, 'makes a key that is shown as JWK at once');
}

/** Paths into dist/ that nobody has built first: `built` of test/support/built.ts does. */
export function unbuiltPaths(file: SourceFile): string[] {
  const isPath = (node: ts.Node) =>
    ts.isCallExpression(node) &&
    /^(?:join|resolve)$/.test(node.expression.getText(file.ast)) &&
    node.arguments.some(
      (argument) => ts.isStringLiteral(argument) && argument.text.replaceAll('../', '').split('/')[0] === 'dist',
    );
  return placesOf(file, isPath, 'reads dist without building it');
}

/** Pauses of 50 ms or more that a test takes outside a loop: it waits for time, not for a thing. */
export function sleeps(file: SourceFile): string[] {
  const isSleep = (node: ts.Node) => {
    if (!ts.isAwaitExpression(node) || isInLoop(node)) return false;
    const pause = /^await new Promise(?:<\w+>)?\(\((\w+)\) => (?:void )?setTimeout\(\1, ([\d_]+)\)\)$/.exec(
      node.getText(file.ast),
    );
    return pause !== null && Number(pause[2]?.replace(/_/g, '')) >= 50;
  };
  return placesOf(file, isSleep, 'sleeps for a fixed time');
}

function isInLoop(node: ts.Node): boolean {
  for (let outer = node.parent; outer && !ts.isFunctionLike(outer); outer = outer.parent) {
    if (ts.isIterationStatement(outer, false)) return true;
  }
  return false;
}

function placesOf(file: SourceFile, isFound: (node: ts.Node) => boolean, what: string): string[] {
  return nodesOf(file.ast)
    .filter(isFound)
    .map((node) => at(file, lineOf(file, node), what));
}

function isProperty(node: ts.Node, object: string, property: string): boolean {
  return (
    ts.isPropertyAccessExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === object &&
    node.name.text === property
  );
}

function escapeName(node: ts.Node): string | null {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return 'any without a reason';
  return ts.isNonNullExpression(node) ? 'non-null assertion without a reason' : null;
}

function hasReason(file: SourceFile, line: number): boolean {
  const words = (text: string | undefined) => /(?:\/\/|\/\*|^\s*\*)\s*(.{12,})/.test(text ?? '');
  return words(file.lines[line - 1]) || words(file.lines[line - 2]);
}

type FunctionWithBody = ts.FunctionLikeDeclaration & { body: ts.Node };

function isFunctionWithBody(node: ts.Node): node is FunctionWithBody {
  return ts.isFunctionLike(node) && (node as ts.FunctionLikeDeclaration).body !== undefined;
}

function ownLines(file: SourceFile, node: FunctionWithBody): number {
  const span = (inner: ts.Node) => {
    const from = file.ast.getLineAndCharacterOfPosition(inner.getStart(file.ast)).line;
    return file.ast.getLineAndCharacterOfPosition(inner.end).line - from + 1;
  };
  const nested = (inner: ts.Node): number => {
    if (isFunctionWithBody(inner)) return span(inner) - 1;
    let sum = 0;
    ts.forEachChild(inner, (child) => {
      sum += nested(child);
    });
    return sum;
  };
  return span(node) - nested(node.body);
}
