// The inside of a page that follows: a test calls it there by name.
import { type Asked, type Followed, follow } from './follow';

const followed = new Map<number, Followed>();

/** What a test asks of a page. */
export const inPage = {
  begin(id: number, asked: Asked): void {
    followed.set(id, follow(asked));
  },
  told: (id: number) => followed.get(id)?.told,
  setToken: (id: number, token: string) => followed.get(id)?.setToken(token),
  stop: (id: number) => followed.get(id)?.stop(),
  close: (id: number) => followed.get(id)?.close(),
};

Object.assign(globalThis, { inPage });
