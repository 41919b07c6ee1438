// Which MongoDB collections the product names, by whatever way of naming one there is: a literal, a constant of this or another file, a template, a choice.
import ts from 'typescript';
import { at, lineOf, nodesOf, type SourceFile } from './source-files';

export interface NamedCollections {
  /** Sorted; what a template leaves open is a star. */
  names: string[];
  /** Places where the name is handed in. */
  open: string[];
}

/** Which arguments of a call are names, by what is called. */
const namingCalls: Readonly<Record<string, readonly number[]>> = {
  collection: [0],
  createCollection: [0],
  dropCollection: [0],
  renameCollection: [0, 1],
  collectionOf: [1],
  bookCollection: [1],
  storedSchema: [0],
  model: [2],
};

type Constants = ReadonlyMap<string, ts.Expression>;

export function collectionsNamedIn(files: readonly SourceFile[]): NamedCollections {
  const everywhere = new Map(files.flatMap((file) => [...constantsOf(file, true)]));
  const names = new Set<string>();
  const open: string[] = [];
  for (const file of files) {
    const own = constantsOf(file, false);
    for (const node of nodesOf(file.ast)) {
      for (const expression of namingExpressions(node)) {
        const found = namesOf(expression, own, everywhere);
        for (const name of found ?? []) if (name !== '') names.add(name);
        if (!found) open.push(at(file, lineOf(file, node), expression.getText(file.ast)));
      }
    }
  }
  return { names: [...names].sort(), open };
}

/** Constants of a file by name; for other files those alone that it exports. */
function constantsOf(file: SourceFile, isExported: boolean): Map<string, ts.Expression> {
  const constants = new Map<string, ts.Expression>();
  for (const statement of nodesOf(file.ast)) {
    if (!ts.isVariableStatement(statement)) continue;
    if (isExported && !statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    for (const { name, initializer } of statement.declarationList.declarations)
      if (ts.isIdentifier(name) && initializer) constants.set(name.text, initializer);
  }
  return constants;
}

function namingExpressions(node: ts.Node): ts.Expression[] {
  if (ts.isPropertyAssignment(node)) return isCollectionKey(node.name) ? [node.initializer] : [];
  if (ts.isShorthandPropertyAssignment(node)) return isCollectionKey(node.name) ? [node.name] : [];
  if (!ts.isCallExpression(node)) return [];
  const { expression: callee } = node;
  const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : ts.isIdentifier(callee) ? callee.text : '';
  const places = Object.hasOwn(namingCalls, name) ? (namingCalls[name] ?? []) : [];
  return places.map((place) => node.arguments[place]).filter((argument) => argument !== undefined);
}

function isCollectionKey(name: ts.PropertyName): boolean {
  return (ts.isIdentifier(name) || ts.isStringLiteral(name)) && name.text === 'collection';
}

/** Null: it is handed in from somewhere else. */
function namesOf(expression: ts.Expression, own: Constants, everywhere: Constants): string[] | null {
  if (ts.isStringLiteralLike(expression)) return [expression.text];
  if (ts.isTemplateExpression(expression)) {
    const name = [expression.head.text, ...expression.templateSpans.map(({ literal }) => `*${literal.text}`)].join('');
    return name === '*' ? null : [name];
  }
  if (ts.isAsExpression(expression) || ts.isParenthesizedExpression(expression))
    return namesOf(expression.expression, own, everywhere);
  if (ts.isConditionalExpression(expression)) {
    const [one, other] = [expression.whenTrue, expression.whenFalse].map((each) => namesOf(each, own, everywhere));
    return one && other ? [...one, ...other] : null;
  }
  if (!ts.isIdentifier(expression)) return null;
  const constant = own.get(expression.text) ?? everywhere.get(expression.text);
  return constant && constant !== expression ? namesOf(constant, own, everywhere) : null;
}
