// Each OpenAPI file against that of the last release: whatever would break a client has its line in the changelog.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiCompare } from 'api-smart-diff';
import { parse } from 'yaml';
import { apiFamilies } from '../../rest-facade/checks/openapi';
import { withoutWords } from '../../tools/released';
import { lastRelease, namesIn, unreleasedNames } from '../support/changelog';

const read = (file: string) => readFileSync(join(__dirname, '../..', file), 'utf8');

interface Change {
  type: string;
  action: string;
  path: (string | number)[];
}

/** The comparison calls it harmless when an answer lacks a member or has it as another type: our clients read them. */
function isBreaking({ type, action, path }: Change): boolean {
  if (path[0] !== 'paths') return false;
  if (type === 'breaking') return true;
  return (action === 'remove' && path.at(-2) === 'properties') || (action === 'replace' && path.at(-1) === 'type');
}

/** What was released since, and what of it is not named by its method and path, or by its own name. */
function untold(released: object, present: object, named: ReadonlySet<string>): string[] {
  const changes = (apiCompare(released, present) as { diffs: Change[] }).diffs.filter(isBreaking);
  const told = ({ path: [, address, method, ...rest] }: Change) =>
    named.has(`${String(method).toUpperCase()} ${address}`) || named.has(String(rest.at(-1)));
  return changes.filter((change) => !told(change)).map(({ action, path }) => `${action} ${path.slice(1).join(' ')}`);
}

describe.each(apiFamilies)('the paths of %s', (family) => {
  const released = read(`schema/released/${family}.yaml`);

  it('break nothing without a line in the changelog', () => {
    const present = withoutWords(parse(read(`rest-facade/openapi/${family}.yaml`))) as object;
    expect(untold(parse(released) as object, present, unreleasedNames())).toEqual([]);
  });

  it('are compared with the release that the changelog closed last', () => {
    expect(released).toContain(`# The paths of ${family} as of release ${lastRelease()}`);
  });
});

interface Sample {
  asked: { required: string[]; properties: Record<string, object> };
  told: { required: string[]; properties: Record<string, object> };
  parameters: object[];
  responses: Record<string, object>;
}

/** One path with an answer and a body, and `spoil` applied to its parts. */
function sample(spoil: (parts: Sample) => void = () => undefined): object {
  const asked = { type: 'object', required: ['a'], properties: { a: { type: 'string', maxLength: 9 } } };
  const told = { type: 'object', required: ['c'], properties: { c: { type: 'string' }, d: { type: 'string' } } };
  const content = (schema: object) => ({ 'application/json': { schema } });
  const parameters = [{ name: 'size', in: 'query', schema: { type: 'integer' } }];
  const responses = { 200: { description: 'done', content: content(told) }, 404: { description: 'not there' } };
  spoil({ asked, told, parameters, responses });
  const post = { parameters, requestBody: { content: content(asked) }, responses };
  return { openapi: '3.1.0', info: { title: 'sample', version: '1' }, paths: { '/things': { post } } };
}

it.each<[string, (parts: Sample) => void, string, number]>([
  ['nothing', () => undefined, '', 0],
  ['a member of an answer that is gone', ({ told }) => void delete told.properties['d'], '', 1],
  ['a member that an answer need not have any more', ({ told }) => void told.required.pop(), '', 1],
  [
    'a member of another type',
    ({ told }) => void Object.assign(told.properties['d'] ?? {}, { type: 'integer' }),
    '',
    1,
  ],
  ['a member of a request that is gone', ({ asked }) => void delete asked.properties['a'], '', 1],
  [
    'a value that became too long',
    ({ asked }) => void Object.assign(asked.properties['a'] ?? {}, { maxLength: 5 }),
    '',
    1,
  ],
  [
    'a parameter that is demanded',
    ({ parameters }) => void Object.assign(parameters[0] ?? {}, { required: true }),
    '',
    1,
  ],
  ['a parameter that is gone', ({ parameters }) => void parameters.pop(), '', 1],
  ['a status that is gone', ({ responses }) => void delete responses['404'], '', 1],
  ['what the changelog names by method and path', ({ responses }) => void delete responses['404'], '`POST /things`', 0],
  ['what it names by its name', ({ told }) => void delete told.properties['d'], '`d`', 0],
  ['what is only added', ({ told }) => void Object.assign(told.properties, { e: { type: 'string' } }), '', 0],
])('of changes it tells %s', (_name, spoil, changelog, count) => {
  expect(untold(sample(), sample(spoil), namesIn(changelog))).toHaveLength(count);
});
