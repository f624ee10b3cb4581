import { createInTurn } from './in-turn.ts';

test('work of one key waits for the work before it, whatever came of that; work of another does not', async () => {
  const inTurn = createInTurn();
  const done: string[] = [];
  let fail: (error: Error) => void = () => undefined;
  const first = inTurn('a', () => new Promise((_, reject) => (fail = reject)));
  const second = inTurn('a', async () => done.push('second'));
  const third = inTurn('a', async () => done.push('third'));
  await inTurn('b', async () => done.push('other'));
  expect(done).toEqual(['other']);
  fail(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  expect([await second, await third]).toEqual([2, 3]);
  expect(done).toEqual(['other', 'second', 'third']);
});
