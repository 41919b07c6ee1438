// How much one request to the graph may ask for. The page at `/` and the guide print these.

export const limits = {
  /** Text of a document that a caller sends; our own stored ones are trusted. */
  documentBytesMax: 10 * 1024,
  tokensMax: 1_000,
  nameCharsMax: 128,
  operationsMax: 20,
  depthMax: 15,
  aliasesMax: 15,
  directivesMax: 50,
  /** Selections of a whole document with its fragments spread: what validation walks. */
  selectionsMax: 2_000,
  /** Fields with a selection of their own in one operation: what planning and compiling cost. */
  objectFieldsMax: 100,
  /** Pairs of selections under one response name: what validation compares. */
  repetitionsMax: 5_000,
  /** Objects that introspection could return; the query of every tool is most of it. */
  introspectedMax: 120_000,
  /** Objects that the page sizes of one operation multiply to. */
  objectsMax: 10_000,
  /** Objects that one call of the rate pays for. */
  objectsPerCall: 250,
  bodyBytesMax: 256 * 1024,
  /** Values within the variables of one request, and how deep they lie in each other. */
  variableValuesMax: 5_000,
  variableDepthMax: 32,
} as const;

/** Calls of the rate that an operation costs that could return so many objects. */
export function callsFor(objects: number): number {
  return Math.max(1, Math.ceil(objects / limits.objectsPerCall));
}
