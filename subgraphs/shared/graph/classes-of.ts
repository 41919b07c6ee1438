// The classes of the graph that some modules export, for whoever has to list them.

export function classesOf(...modules: readonly object[]): (new () => object)[] {
  return modules.flatMap(Object.values).filter((value) => typeof value === 'function');
}
