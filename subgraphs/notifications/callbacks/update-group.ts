// Updates of many endpoints in one command: what is asked for while a command is under way goes together in the next one, so that the wait for
// majority and journal, and the cost of a command, are shared.
import type { Db, Document } from 'mongodb';

interface UpdateStatement {
  q: Document;
  u: Document | Document[];
  multi: boolean;
  hint?: Document;
}

interface WaitingUpdate {
  statements: UpdateStatement[];
  expected: number;
  resolve(isExact: boolean): void;
  reject(error: unknown): void;
}

const statementsMax = 1_000;

/** Resolves after the majority and journal acknowledgement; true when every statement of the group modified as many documents as was expected. */
export type UpdateGroup = (statements: UpdateStatement[], expected: number) => Promise<boolean>;

export function createUpdateGroup(database: Db, collection: string): UpdateGroup {
  let waiting: WaitingUpdate[] = [];
  let isUnderWay = false;

  async function run(): Promise<void> {
    isUnderWay = true;
    while (waiting.length > 0) {
      const group = takeGroup();
      try {
        const modified = await command(group.flatMap(({ statements }) => statements));
        const isExact = modified === group.reduce((sum, { expected }) => sum + expected, 0);
        for (const { resolve } of group) resolve(isExact);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isUnderWay = false;
  }

  function takeGroup(): WaitingUpdate[] {
    let count = 0;
    const last = waiting.findIndex(({ statements }) => {
      count += statements.length;
      return count > statementsMax;
    });
    const group = last === -1 ? waiting : waiting.slice(0, Math.max(1, last));
    waiting = waiting.slice(group.length);
    return group;
  }

  async function command(updates: UpdateStatement[]): Promise<number> {
    const answer = await database.command({
      update: collection,
      updates,
      ordered: false,
      writeConcern: { w: 'majority', j: true },
    });
    if (answer['writeErrors']) throw new Error(`updates of ${collection} were not all written`);
    return Number(answer['nModified'] ?? 0);
  }

  return (statements, expected) =>
    new Promise((resolve, reject) => {
      waiting.push({ statements, expected, resolve, reject });
      if (!isUnderWay) setImmediate(() => void (isUnderWay || run()));
    });
}
