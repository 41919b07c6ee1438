// Ids that an example leaves open: put in where something exists, and the example left out where nothing does yet, or where it does what whoever is here may not.
export type KnownIds = Readonly<Record<'merchantId' | 'operationId' | 'virtualAccountId' | 'callbackId', string>>;

/** What whoever is here may see and do. */
export interface Asker {
  ids: KnownIds;
  rights: readonly string[];
}

export interface Example {
  query: string;
  /** As JSON. */
  variables: string;
  /** Of an act: what it takes. */
  right?: string;
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

/** Those of which everything that they ask about exists, and what they do is allowed. */
export function readyExamples(examples: readonly Example[], { ids, rights }: Asker): Example[] {
  return examples
    .filter(({ right }) => right === undefined || rights.includes(right))
    .map(({ query, variables }) => ({ query, variables: filled(variables, ids) }))
    .filter(({ variables }) => !Object.values(JSON.parse(variables)).includes(''));
}
