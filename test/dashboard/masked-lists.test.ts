// No list and no stream of the dashboard asks for what is audited when it is shown: only a screen about one thing does, once it is opened.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type DocumentNode,
  getNamedType,
  isObjectType,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

const read = (path: string) => readFileSync(join(__dirname, '../../schema', path), 'utf8');
const schema = buildSchema(read('contracts/staff.graphql'));
const unmasked = new Set<string>(JSON.parse(read('plans.json')).unmasked);
const documents: { name: string; text: string }[] = Object.values(JSON.parse(read('trusted/dashboard.json')).documents);

/** The fields that are audited, each with whether it lies in an edge of a connection or in a stream. */
function auditedOf(document: DocumentNode): { name: string; isListed: boolean }[] {
  const found: { name: string; isListed: boolean }[] = [];
  const types = new TypeInfo(schema);
  let edges = 0;
  const inFragment = (name: string) =>
    document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === name);
  const isEdge = () => {
    const type = types.getType();
    return type ? getNamedType(type).name.endsWith('Edge') : false;
  };
  const walk = (start: Parameters<typeof visit>[0]) =>
    visit(
      start,
      visitWithTypeInfo(types, {
        Field: {
          enter() {
            if (isEdge()) edges += 1;
            const [parent, field] = [types.getParentType(), types.getFieldDef()];
            const name = isObjectType(parent) ? `${parent.name}.${field?.name}` : '';
            if (unmasked.has(name)) found.push({ name, isListed: edges > 0 });
          },
          leave() {
            if (isEdge()) edges -= 1;
          },
        },
        FragmentSpread({ name }) {
          for (const fragment of inFragment(name.value)) walk(fragment);
        },
      }),
    );
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    edges = definition.operation === 'subscription' ? 1 : 0;
    walk(definition);
  }
  return found;
}

test('lists and streams have nothing of it, screens of one thing do', () => {
  const all = documents.map(({ name, text }) => ({ name, audited: auditedOf(parse(text)) }));
  const listed = all.filter(({ audited }) => audited.some(({ isListed }) => isListed));
  expect(listed).toEqual([]);
  const screens = ['ApplicationAccount', 'ApplicationLife', 'CallbackLife', 'PayoutAccount'];
  expect(all.filter(({ audited }) => audited.length > 0).map(({ name }) => name)).toEqual(screens);
});
