import { deadlineIn } from './deadline.ts';

let monotonic = 1_000;
let wall = 1_700_000_000_000;
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => monotonic);
  jest.spyOn(Date, 'now').mockImplementation(() => wall);
});
afterEach(() => jest.restoreAllMocks());

function pass(ms: number) {
  monotonic += ms;
  wall += ms;
}

test('passes after its time, not before', () => {
  const deadline = deadlineIn(100);
  expect(deadline.remainingMs()).toBe(100);
  pass(99);
  expect([deadline.passed(), deadline.remainingMs()]).toEqual([false, 1]);
  pass(1);
  expect([deadline.passed(), deadline.remainingMs()]).toEqual([true, 0]);
  pass(1);
  expect(deadline.remainingMs()).toBe(0);
});

test('a system clock that is set back does not extend it', () => {
  const deadline = deadlineIn(100);
  wall -= 3_600_000;
  pass(100);
  expect(deadline.passed()).toBe(true);
});

test('passes while the machine sleeps and its monotonic clock is stopped', () => {
  const deadline = deadlineIn(100);
  wall += 3_600_000;
  expect(deadline.passed()).toBe(true);
});
