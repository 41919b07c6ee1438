// Ids that an example leaves open: put in where something exists, and the example left out where nothing does yet.
export type KnownIds = Readonly<Record<'merchantId' | 'operationId' | 'virtualAccountId' | 'callbackId', string>>;

export interface Example {
  query: string;
  /** As JSON. */
  variables: string;
}

/** The variables with each id that was left open put in. */
export function filled(variables: string, known: KnownIds): string {
  try {
    const given: Record<string, unknown> = JSON.parse(variables);
    for (const [name, id] of Object.entries(known)) if (given[name] === '' && id !== '') given[name] = id;
    return JSON.stringify(given, null, 2);
  } catch {
    // Somebody is still writing them.
    return variables;
  }
}

/** Those of which everything that they ask about exists. */
export function readyExamples(examples: readonly Example[], known: KnownIds): Example[] {
  return examples
    .map(({ query, variables }) => ({ query, variables: filled(variables, known) }))
    .filter(({ variables }) => !Object.values(JSON.parse(variables)).includes(''));
}
