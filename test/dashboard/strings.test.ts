// What the dashboard says: every word of English in the four other languages too, with the same blanks; every value of the graph that it shows has a word; and no text stands in a component.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type GraphQLEnumType,
  getNamedType,
  isEnumType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { da } from '../../dashboard/strings/da';
import { de } from '../../dashboard/strings/de';
import { en, type Words } from '../../dashboard/strings/en';
import { nb } from '../../dashboard/strings/nb';
import { sv } from '../../dashboard/strings/sv';
import { callbackStatuses, endReasons } from '../../subgraphs/notifications/callbacks/callback';
import { toldActions, untoldActions } from '../../subgraphs/shared/vocabulary/audit-action';

const root = join(__dirname, '../..');
const others: readonly (readonly [string, Words])[] = Object.entries({ da, sv, nb, de });

/** A number, and what follows it: whether it is one, or another number. */
const blanksOf = [
  [1, true],
  [7, false],
  [7, 7],
] as const;

/** Each thing that is said, by its place; with numbers and words in its blanks where it has any. */
function saidBy(words: object, place = ''): Map<string, string> {
  const said = new Map<string, string>();
  for (const [key, value] of Object.entries(words)) {
    const at = `${place}${key}`;
    if (typeof value === 'string') said.set(at, value);
    else if (typeof value === 'function')
      for (const blanks of blanksOf) said.set(`${at}(${blanks})`, String(value(...blanks)));
    else for (const [below, text] of saidBy(value as object, `${at}.`)) said.set(below, text);
  }
  return said;
}

const english = saidBy(en);

test.each(others)('%s has every line of English, with its blanks, and says something', (_code, words) => {
  const said = saidBy(words);
  expect([...said.keys()].sort()).toEqual([...english.keys()].sort());
  const blanks = (text: string) => (text.match(/7/g) ?? []).length;
  for (const [key, text] of said) {
    expect({ key, isSaid: text.trim() !== '' }).toEqual({ key, isSaid: true });
    if (key.includes('(7,'))
      expect({ key, blanks: blanks(text) }).toEqual({ key, blanks: blanks(english.get(key) ?? '') });
  }
});

test.each(others)('%s leaves nothing in English', (_code, words) => {
  const same = [...saidBy(words)].filter(
    ([key, text]) => text === english.get(key) && /[a-z]{3}.* [a-z]{2}/i.test(text),
  );
  expect(same).toEqual([]);
});

/** Enums of what the dashboard's documents answer. */
function enumsShown(): GraphQLEnumType[] {
  const schema = buildSchema(readFileSync(join(root, 'schema/contracts/staff.graphql'), 'utf8'));
  const { documents } = JSON.parse(readFileSync(join(root, 'schema/trusted/dashboard.json'), 'utf8')) as {
    documents: Record<string, { text: string }>;
  };
  const found = new Map<string, GraphQLEnumType>();
  for (const { text } of Object.values(documents)) {
    const types = new TypeInfo(schema);
    visit(
      parse(text),
      visitWithTypeInfo(types, {
        Field() {
          const type = getNamedType(types.getType());
          if (isEnumType(type)) found.set(type.name, type);
        },
      }),
    );
  }
  return [...found.values()];
}

/** Told by words of their own, by a name that is the same in every language, or not at all. */
const toldOtherwise: ReadonlySet<string> = new Set([
  'AcquirerCallStepName',
  'ApiKeyMode',
  'CallbackActionKind',
  'CallbackAttemptResult',
  'CardScheme',
  'ChallengeOutcome',
  'CheckoutKind',
  'Density',
  'FeeType',
  'FlowState',
  'Invoicing',
  'JobAct',
  'JobActionKind',
  'OnboardingActionKind',
  'PaymentFamily',
  'PaymentType',
  'PortalLanguage',
  'PostActionKind',
  'RefusalCode',
  'SearchMatch',
  'Theme',
  'ViewerEnvironment',
  'ViewerKind',
]);

test('every value that the graph may answer has a word', () => {
  const known = new Set(Object.keys(en.states));
  const missing = enumsShown()
    .filter(({ name }) => !toldOtherwise.has(name))
    .flatMap((type) => type.getValues().map(({ name }) => ({ type: type.name, name })))
    .filter(({ name }) => !known.has(name));
  expect(missing).toEqual([]);
});

/** As the program writes them down. */
function auditedSubjects(): Set<string> {
  const paths = ['subgraphs', 'gateway', 'rest-facade', 'app'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(root, folder, path)),
  );
  const texts = paths.filter((path) => path.endsWith('.ts')).map((path) => readFileSync(path, 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(/\bsubjectType: '(\w+)'/g)].map(([, name]) => name ?? '')));
}

test.each([
  ['acts of the audit', [...toldActions, ...untoldActions], en.audit.actions],
  ['things that the audit is about', auditedSubjects(), en.audit.subjects],
  ['reasons why a callback ended', endReasons, en.callbackEnds],
  ['states of a callback', callbackStatuses, en.callbackHints],
])('%s all have words, and no others do', (_what, known, words) => {
  expect(Object.keys(words).sort()).toEqual([...known].sort());
});

test('no component has a text of its own', () => {
  const files = readdirSync(join(root, 'dashboard'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.tsx'),
  );
  expect(files.length).toBeGreaterThan(60);
  const texts = files.flatMap((path) => {
    const source = readFileSync(join(root, 'dashboard', path), 'utf8');
    const between = source.matchAll(/>([^<>{}=;()]*[A-Za-z]{2,}[^<>{}=;()]*)<\//g);
    const attributes = source.matchAll(/\b(?:aria-label|title|placeholder|label|hint)="([^"]*[A-Za-z][^"]*)"/g);
    return [...between, ...attributes].map(([, text]) => `${path}: ${text?.trim()}`);
  });
  expect(texts).toEqual([]);
});
