// Merging of subgraph answers into one tree, with the semantics of the gateway's own executor.
import type { ResultObject } from '../subgraphs/subgraph-client';

/** Path of a plan node: response names, `@` for "every element of this list", and sets of types for "those of these types only". */
export type PlanPath = readonly (string | ReadonlySet<string>)[];

/** Merges a subgraph's object into what is known already; lists of equal length merge element by element, everything else is replaced. */
export function mergeInto(target: ResultObject, source: ResultObject | null | undefined): void {
  if (!source) return;
  for (const key of Object.keys(source)) {
    const incoming = source[key];
    if (incoming === undefined) continue;
    const present = Object.hasOwn(target, key) ? target[key] : undefined;
    if (Array.isArray(incoming) && Array.isArray(present) && incoming.length === present.length) {
      mergeLists(present, incoming);
    } else if (isPlainObject(incoming) && present) {
      mergeInto(present as ResultObject, incoming);
    } else {
      target[key] = incoming;
    }
  }
}

function mergeLists(target: unknown[], source: unknown[]): void {
  for (let index = 0; index < source.length; index += 1) {
    const incoming = source[index];
    const present = target[index];
    if (Array.isArray(incoming) && Array.isArray(present) && incoming.length === present.length)
      mergeLists(present, incoming);
    else if (isPlainObject(incoming) && isPlainObject(present)) mergeInto(present, incoming);
    else target[index] = incoming;
  }
}

function isPlainObject(value: unknown): value is ResultObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** All objects at a path, absent ones left out, in document order. */
export function objectsAt(root: ResultObject, path: PlanPath): ResultObject[] {
  const found: ResultObject[] = [];
  collect(root, path, 0, found);
  return found;
}

function collect(value: unknown, path: PlanPath, from: number, found: ResultObject[]): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    const next = path[from] === '@' ? from + 1 : from;
    for (const element of value) collect(element, path, next, found);
    return;
  }
  const key = path[from];
  if (key === undefined) found.push(value as ResultObject);
  else if (typeof key === 'object') {
    if (isOf(key, value)) collect(value, path, from + 1, found);
  } else if (Object.hasOwn(value as object, key)) collect((value as ResultObject)[key], path, from + 1, found);
}

/** The concrete response path of each object that `objectsAt` finds, in the same order; needed only when something failed. */
export function responsePathsAt(root: ResultObject, path: PlanPath): (string | number)[][] {
  const found: (string | number)[][] = [];
  trace(root, path, 0, [], found);
  return found;
}

function trace(
  value: unknown,
  path: PlanPath,
  from: number,
  at: (string | number)[],
  found: (string | number)[][],
): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    const next = path[from] === '@' ? from + 1 : from;
    value.forEach((element, index) => {
      trace(element, path, next, [...at, index], found);
    });
    return;
  }
  const key = path[from];
  if (key === undefined) found.push(at);
  else if (typeof key === 'object') {
    if (isOf(key, value)) trace(value, path, from + 1, at, found);
  } else if (Object.hasOwn(value as object, key))
    trace((value as ResultObject)[key], path, from + 1, [...at, key], found);
}

function isOf(types: ReadonlySet<string>, value: unknown): boolean {
  return types.has((value as ResultObject)['__typename'] as string);
}

/** The response names of a path. */
export function namesIn(path: PlanPath): string[] {
  return path.filter((part) => typeof part === 'string');
}
