// Lists as they stood when they were last seen, for whoever comes back to one while the platform is out of reach. They go with the page, and so with who is signed in.

const listsMost = 20;

export function keptLists<List>() {
  const lists = new Map<string, List>();
  return {
    read: (place: string): List | undefined => lists.get(place),
    /** The longest not seen gives way. */
    keep(place: string, list: List): void {
      lists.delete(place);
      lists.set(place, list);
      const [oldest] = lists.keys();
      if (lists.size > listsMost && oldest !== undefined) lists.delete(oldest);
    },
  };
}
