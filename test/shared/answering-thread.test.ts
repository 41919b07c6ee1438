// Threads that answer: each question its own answer, in whatever order; whoever waits when the thread ends hears of it.
import { type AnsweringThread, startAnsweringThread } from '../../subgraphs/shared/answering-thread';

interface Question {
  say: string;
  afterMs?: number;
}
type Answer = { id: number; said: string };

const script = `
  const { parentPort } = require('node:worker_threads');
  let prefix = '';
  parentPort.on('message', ({ id, say, afterMs, prefix: next }) => {
    if (next !== undefined) { prefix = next; return; }
    if (say === 'die') process.exit(3);
    if (say === 'throw') throw new Error('of the thread');
    const said = say === 'env' ? JSON.stringify(process.env) : prefix + say;
    setTimeout(() => parentPort.postMessage({ id, said }), afterMs ?? 0);
  });`;
let ended: number;
let thread: AnsweringThread<Question, Answer>;

beforeEach(() => {
  ended = 0;
  thread = startAnsweringThread(script, { eval: true, name: 'answers' }, () => {
    ended += 1;
  });
});
afterEach(() => thread.end());

test('each question has its own answer, whichever comes first', async () => {
  const [slow, quick] = [thread.ask({ say: 'slow', afterMs: 100 }), thread.ask({ say: 'quick' })];
  expect(thread.waiting).toBe(2);
  expect((await quick)?.said).toBe('quick');
  expect(thread.waiting).toBe(1);
  expect((await slow)?.said).toBe('slow');
  expect([thread.waiting, ended]).toEqual([0, 0]);
});

test('what wants no answer comes before the questions behind it', async () => {
  thread.tell({ prefix: 'well, ' });
  expect((await thread.ask({ say: 'yes' }))?.said).toBe('well, yes');
});

test('it has nothing of the environment of this process', async () => {
  expect((await thread.ask({ say: 'env' }))?.said).toBe('{}');
});

test.each(['die', 'throw'])('whoever waits when it ends (%s) has null, after its owner was told', async (say) => {
  const others = [thread.ask({ say: 'never', afterMs: 600_000 }), thread.ask({ say })];
  const seen = others.map(async (asked) => [await asked, ended]);
  expect(await Promise.all(seen)).toEqual([
    [null, 1],
    [null, 1],
  ]);
  expect(thread.waiting).toBe(0);
});

test('ending it ends the waiting', async () => {
  const asked = thread.ask({ say: 'never', afterMs: 600_000 });
  await thread.end();
  expect([await asked, ended]).toEqual([null, 1]);
});
