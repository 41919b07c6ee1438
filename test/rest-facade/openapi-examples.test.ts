// The examples of the OpenAPI files: every body that is sent or answered with success has one, and each is what its own schema asks for.
import { join } from 'node:path';
import { apiFamilies, createCompiler, readApiFile, type Schema } from '../../rest-facade/checks/openapi';

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

const ajv = createCompiler();
const bodies = apiFamilies.flatMap((family) => {
  const { document } = readApiFile(join(__dirname, '../..'), family);
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, responses }]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      return [
        ...mediaOf(`${name} sent`, requestBody?.content),
        ...answers.flatMap(([status, { content }]) => mediaOf(`${name} answered ${status}`, content)),
      ];
    }),
  );
});

function mediaOf(name: string, content: Record<string, unknown> = {}): [string, Media][] {
  return Object.entries(content).map(([type, media]) => [`${name} (${type})`, media as Media]);
}

function examplesOf({ example, examples = {} }: Media): unknown[] {
  return [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)];
}

it.each(bodies)('%s has an example that its schema allows', (_name, media) => {
  const examples = examplesOf(media);
  expect(examples.length).toBeGreaterThan(0);
  const isValid = ajv.compile(media.schema);
  for (const example of examples) {
    isValid(example);
    expect([isValid.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`), example]).toEqual([
      undefined,
      example,
    ]);
  }
});
