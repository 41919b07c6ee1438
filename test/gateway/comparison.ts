// What of two results must be equal: data (fields merged from several places may come in another order), errors by path and code, and what the values were found to lack.
import type { ExecutionResult } from 'graphql';

export function comparable({ data, errors, extensions }: ExecutionResult) {
  const missing = (extensions?.['valueCompletion'] ?? []) as { path?: unknown; message: string }[];
  return {
    data: JSON.parse(JSON.stringify(data ?? null)) as unknown,
    errors: (errors ?? [])
      .map(({ path, message, extensions: { code } }) =>
        JSON.stringify({ path, code: isVariableError(message) ? 'invalidInput' : code }),
      )
      .sort(),
    missing: missing.map(({ path, message }) => ({ path, message })),
  };
}

function isVariableError(message: string): boolean {
  return message.startsWith('Variable "$');
}
