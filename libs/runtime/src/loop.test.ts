import { eventually, recordLog } from '@fanfare/testing';
import { backoffMs, startLoop, type Loop } from './loop.ts';

const HOUR_MS = 3_600_000;
const loops: Loop[] = [];
afterEach(async () => {
  for (const loop of loops.splice(0)) await loop.stop();
});

function start(run: () => Promise<number>, stalledAfterMs?: number) {
  const { log, lines } = recordLog();
  const loop = startLoop({ name: 'test', log, run, ...(stalledAfterMs === undefined ? {} : { stalledAfterMs }) });
  loops.push(loop);
  return { loop, lines };
}

/** A run that the test completes, one by one. */
function blockedRun() {
  let runs = 0;
  let release: () => void = () => undefined;
  const run = async () => {
    runs++;
    await new Promise<void>((resolve) => (release = resolve));
    return HOUR_MS;
  };
  return { run, runs: () => runs, release: () => release() };
}

test('runs at once, and again after the time that the run returned', async () => {
  let runs = 0;
  start(async () => (++runs < 3 ? 1 : HOUR_MS));
  await eventually(() => runs === 3);
});

test('a wake ends the wait', async () => {
  let runs = 0;
  const { loop } = start(async () => (runs++, HOUR_MS));
  await eventually(() => runs === 1);
  await nextTurn();
  loop.wake();
  await eventually(() => runs === 2);
});

test('wakes during a run lead to one more run right after it', async () => {
  const blocked = blockedRun();
  const { loop } = start(blocked.run);
  await eventually(() => blocked.runs() === 1);
  loop.wake();
  loop.wake();
  await nextTurn();
  expect(blocked.runs()).toBe(1);
  blocked.release();
  await eventually(() => blocked.runs() === 2);
  blocked.release();
  await nextTurn();
  expect(blocked.runs()).toBe(2);
});

test('a failed run is logged and retried; the loop reports that it is stalled until one succeeds', async () => {
  let broken = true;
  let runs = 0;
  const { loop, lines } = start(async () => {
    runs++;
    if (broken) throw new Error('the database is unavailable');
    return HOUR_MS;
  }, 1);
  await eventually(() => loop.problem());
  await eventually(() => runs >= 3);
  expect(loop.problem()).toMatch(/has not succeeded/);
  expect(lines[0]).toMatchObject({ level: 'error', loop: 'test', err: { message: 'the database is unavailable' } });
  // Each delay is longer than the one before: 50 to 100 ms, 100 to 200 ms, …
  const delays = lines.map(({ retry_in_ms }) => retry_in_ms as number);
  expect(delays[0]).toBeGreaterThanOrEqual(50);
  expect(delays[2]).toBeGreaterThan(delays[0]!);
  broken = false;
  loop.wake();
  await eventually(() => loop.problem() === undefined);
});

test('a wake during a run that fails does not make it fail again at once', async () => {
  let fail: (error: Error) => void = () => undefined;
  let runs = 0;
  const { loop, lines } = start(() => {
    runs++;
    return new Promise((_resolve, reject) => (fail = reject));
  });
  loop.wake();
  fail(new Error('unavailable'));
  await eventually(() => lines.length === 1);
  await nextTurn();
  expect(runs).toBe(1);
  await eventually(() => runs === 2);
  fail(new Error('unavailable'));
});

test('a loop with a long wait is not stalled; one whose run does not end is', async () => {
  let runs = 0;
  const { loop: waiting } = start(async () => (runs++, HOUR_MS), 1);
  const blocked = blockedRun();
  const { loop: stuck } = start(blocked.run, 1);
  await eventually(() => runs === 1 && stuck.problem());
  expect(waiting.problem()).toBeUndefined();
  blocked.release();
});

test('stop waits for the current run, and starts none after it', async () => {
  const blocked = blockedRun();
  const { loop } = start(blocked.run);
  await eventually(() => blocked.runs() === 1);
  loop.wake();
  let hasStopped = false;
  const stopped = loop.stop().then(() => (hasStopped = true));
  await nextTurn();
  expect(hasStopped).toBe(false);
  blocked.release();
  await stopped;
  expect(blocked.runs()).toBe(1);
});

test('the delay after failures grows to its limit and is jittered', () => {
  for (let attempt = 0; attempt < 100; attempt++) {
    const full = Math.min(10_000, 100 * 2 ** attempt);
    expect(backoffMs(attempt)).toBeGreaterThanOrEqual(full / 2);
    expect(backoffMs(attempt)).toBeLessThanOrEqual(full);
  }
  expect(new Set(Array.from({ length: 20 }, () => backoffMs(10))).size).toBeGreaterThan(1);
  expect(backoffMs(3, 10, 40)).toBeLessThanOrEqual(40);
});

/** Runs everything that is ready to run. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
