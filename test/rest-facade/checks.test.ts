// Every check of every documented operation compiles: a running program compiles each at first use only, and must not find out then.
import { join } from 'node:path';
import { apiFamilies, compileChecks, createCompiler, readApiFile } from '../../rest-facade/checks/openapi';

const root = join(__dirname, '../..');

test.each(apiFamilies)('%s', (family) => {
  const ajv = createCompiler();
  const file = readApiFile(root, family);
  const operations = Object.entries(file.document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method, path })),
  );
  expect(operations.length).toBeGreaterThan(0);
  for (const operation of operations) {
    const checks = compileChecks(ajv, file, operation);
    // A parameter without a value and a body that is no object: refused where one is required, never a defect.
    for (const found of [checks.headers({}), checks.params({}), checks.query('').violation, checks.body(0)])
      expect(found === null || found.rule !== '').toBe(true);
  }
});
