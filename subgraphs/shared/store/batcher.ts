// Work in groups: what arrives while a group is under way shares the next call to the database, or to a thread; a lone request waits for nobody.
// What left a group together arrives together at the next one, so groups keep their size.

export interface BatchLimits {
  sizeMax: number;
  inFlightMax: number;
  /** A group waits for as many members as the one before it had, but no longer than that one took, and never longer than this; 0: it waits for nobody. */
  gatherMsMax: number;
}

const usual: BatchLimits = { sizeMax: 64, inFlightMax: 1, gatherMsMax: 0 };

export interface Batcher<Member> {
  add(member: Member): void;
  /** Resolves when every member added so far has been worked on. */
  drain(): Promise<void>;
}

/** `run` settles its members itself and never rejects. */
export function createBatcher<Member>(
  run: (group: Member[]) => Promise<void>,
  { sizeMax, inFlightMax, gatherMsMax }: BatchLimits = usual,
): Batcher<Member> {
  const waiting: Member[] = [];
  let groupsInFlight = 0;
  let before = { size: 1, tookMs: 0 };
  let timer: NodeJS.Timeout | null = null;
  let idle: (() => void)[] = [];

  function consider(): void {
    if (groupsInFlight >= inFlightMax || waiting.length === 0) return;
    if (gatherMsMax === 0 || waiting.length >= before.size) leave();
    else timer ??= setTimeout(leave, Math.min(before.tookMs, gatherMsMax));
  }

  function leave(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    const group = waiting.splice(0, sizeMax);
    const leftAtMs = performance.now();
    before = { ...before, size: group.length };
    groupsInFlight += 1;
    void run(group).finally(() => {
      before.tookMs = performance.now() - leftAtMs;
      groupsInFlight -= 1;
      consider();
      if (groupsInFlight > 0 || waiting.length > 0) return;
      for (const resolve of idle) resolve();
      idle = [];
    });
    consider();
  }

  return {
    add(member) {
      waiting.push(member);
      if (waiting.length === 1) setImmediate(consider);
      else if (timer && waiting.length >= before.size) consider();
    },
    drain: () =>
      groupsInFlight === 0 && waiting.length === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve)),
  };
}

/** Single calls in groups: `runGroup` answers in the order of the items; when it rejects, all of the group do. Nothing is remembered after its answer. */
export function inBatches<Item, Answer>(
  runGroup: (items: readonly Item[]) => Promise<Answer[]>,
  limits?: BatchLimits,
): (item: Item) => Promise<Answer> {
  const groups = createBatcher<{ item: Item; resolve(answer: Answer): void; reject(error: unknown): void }>(
    async (group) => {
      try {
        const answers = await runGroup(group.map(({ item }) => item));
        group.forEach(({ resolve }, index) => {
          resolve(answers[index] as Answer);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    },
    limits,
  );
  return (item) => new Promise((resolve, reject) => groups.add({ item, resolve, reject }));
}
