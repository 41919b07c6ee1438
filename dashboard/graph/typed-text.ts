// A document of the graph with the types of what it takes and answers; `npm run documents` makes them of queries.graphql.
export interface TypedText<Answer, Variables> {
  kind: 'query' | 'mutation' | 'subscription';
  name: string;
  /** SHA-256 of the text, hex: by it the graph knows a trusted document. */
  hash: string;
  /** Types of what its lists hold: an act that answers one of them makes the answer old, also where the list was empty. */
  listed: readonly string[];
  text: string;
  /** Never there: carries the types. */
  readonly types?: (variables: Variables) => Answer;
}
