import { createLagTracker, type PartitionState } from './lag.ts';

const at = (high: number, committed: number, more: Partial<PartitionState> = {}): PartitionState => ({
  ...{ topic: 't', partition: 0, low: 0, high, committed },
  ...more,
});

test('a group that has handled everything is not behind, also if Kafka has deleted what it handled or never had anything', () => {
  const tracker = createLagTracker();
  expect(
    tracker.measure([at(7, 7), at(9, 4, { partition: 1, low: 9 }), at(5, -1, { partition: 2, low: 5 }), at(0, -1, { partition: 3 })], 0),
  ).toEqual([]);
});

test('the age is that of the oldest event that is not handled, and standing still is measured apart from it', () => {
  const tracker = createLagTracker();
  const lag = (ageMs: number, stillMs: number) => [{ topic: 't', partition: 0, ageMs, stillMs }];
  expect(tracker.measure([at(3, 0)], 1_000)).toEqual(lag(0, 0));
  expect(tracker.measure([at(5, 0)], 2_000)).toEqual(lag(1_000, 1_000));
  // Progress, and the first three events are still not all handled.
  expect(tracker.measure([at(5, 2)], 3_000)).toEqual(lag(2_000, 0));
  // Only events that came later are left.
  expect(tracker.measure([at(8, 3)], 4_000)).toEqual(lag(2_000, 0));
  expect(tracker.measure([at(8, 3)], 5_000)).toEqual(lag(3_000, 1_000));
  expect(tracker.measure([at(8, 8)], 6_000)).toEqual([]);
  expect(tracker.measure([at(9, 8)], 7_000)).toEqual(lag(0, 0));
});

test('an endless backlog is remembered in bounded memory, and its age stays that of its oldest event', () => {
  const tracker = createLagTracker();
  let last: unknown;
  for (let second = 0; second <= 2_000; second++) last = tracker.measure([at(second + 1, 0)], second * 1_000);
  expect(last).toEqual([{ topic: 't', partition: 0, ageMs: 2_000_000, stillMs: 2_000_000 }]);
});
