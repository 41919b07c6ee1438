// The printed contracts equal the code, and every persisted operation runs as a compiled plan.
import { join } from 'node:path';
import { drift, printContracts } from '../../tools/print';

const folder = join(__dirname, '../../schema');
let printed: Map<string, string>;
beforeAll(async () => {
  printed = await printContracts(folder);
});

it('stands in schema/ as the code prints it', () => {
  expect(drift(folder, printed)).toBe('');
});

it('tells in words what has drifted', () => {
  const changed = new Map(printed)
    .set('contracts/staff.graphql', `${printed.get('contracts/staff.graphql')}\ntype Another {\n  id: ID!\n}\n`)
    .set('absent.graphql', 'x');
  const text = drift(folder, changed);
  expect(text).toContain('schema/contracts/staff.graphql has drifted:');
  expect(text).toContain('+ type Another {');
  expect(text).toContain('schema/absent.graphql is missing:');
});
