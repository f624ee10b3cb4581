import { eventually } from '@fanfare/testing';
import { createTurns } from './turns.ts';

/** Tasks that record their names when they start, and end when the test ends them. */
function aRecord() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const task = (name: string) => () => {
    started.push(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(name, resolve);
    return promise;
  };
  return { started, task, end: (name: string) => ends.get(name)?.() };
}

test('owners take turns, and keep the order of their own tasks', async () => {
  const { started, task, end } = aRecord();
  const turns = createTurns({ atOnce: 1, waiting: 20 });
  const all = [...['a1', 'a2', 'a3'].map((name) => turns.run('a', task(name))), ...['b1', 'b2'].map((name) => turns.run('b', task(name)))];
  for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) {
    while (!started.includes(name)) await Promise.resolve();
    end(name);
  }
  await Promise.all(all);
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
});

test('one owner can use half of the queue', async () => {
  const { task } = aRecord();
  const turns = createTurns({ atOnce: 1, waiting: 4 });
  for (const name of ['runs', 'waits', 'waits too']) void turns.run('a', task(name));
  await expect(turns.run('a', task('one too many'))).rejects.toMatchObject({ name: 'RendererBusy' });
  void turns.run('b', task('of another'));
  void turns.run('b', task('and one more'));
  await expect(turns.run('c', task('the queue is full'))).rejects.toMatchObject({ name: 'RendererBusy' });
});

test('a failed task and an aborted one make room for the next', async () => {
  const { started, task, end } = aRecord();
  const turns = createTurns({ atOnce: 1, waiting: 20 });
  const aborting = new AbortController();
  const fails = turns.run('a', () => Promise.reject(new Error('No.')));
  const aborted = turns.run('a', task('aborted'), aborting.signal);
  const next = turns.run('a', task('next'));
  aborting.abort(new Error('Nobody waits.'));
  await expect(fails).rejects.toThrow('No.');
  await expect(aborted).rejects.toThrow('Nobody waits.');
  while (!started.includes('next')) await Promise.resolve();
  end('next');
  await next;
  expect(started).toEqual(['next']);
});

test('with a rest, the next task begins some time after the end of a task', async () => {
  const { started, task, end } = aRecord();
  const turns = createTurns({ atOnce: 1, waiting: 20, rest: 1 });
  const first = turns.run('a', task('first'));
  const second = turns.run('b', task('second'));
  end('first');
  await first;
  expect(started).toEqual(['first']);
  await eventually(() => started.length === 2);
  end('second');
  await second;
});

test('the rest after a long task is short', async () => {
  jest.useFakeTimers();
  try {
    const { started, task, end } = aRecord();
    const turns = createTurns({ atOnce: 1, waiting: 20, rest: 1 });
    const video = turns.run('a', task('video'));
    const design = turns.run('b', task('design'));
    jest.advanceTimersByTime(60_000);
    end('video');
    await video;
    jest.advanceTimersByTime(499);
    await Promise.resolve();
    expect(started).toEqual(['video']);
    jest.advanceTimersByTime(1);
    await eventuallyStarted(started, 'design');
    end('design');
    await design;
  } finally {
    jest.useRealTimers();
  }
});

/** Without a clock. */
async function eventuallyStarted(started: readonly string[], name: string): Promise<void> {
  for (let turn = 0; turn < 100 && !started.includes(name); turn++) await Promise.resolve();
  expect(started).toContain(name);
}
