import { createLogger } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { offsetCommits } from './offset-commits.ts';

let commits: ReturnType<typeof offsetCommits>;

beforeEach(() => {
  commits = offsetCommits(createLogger('test', 'silent'));
});

afterEach(() => commits.forget());

/** The offsets of a consumer whose commits fail for a while, as after Kafka was unavailable. */
function offsetsFailing(times: number) {
  const handled = { topics: [{ topic: 'posts', partitions: [{ partition: 0, offset: '7' }] }] };
  const state = { attempts: 0, isCommitted: false };
  return {
    state,
    offsets: {
      uncommittedOffsets: () => (state.isCommitted ? { topics: [] } : handled),
      commitOffsetsIfNecessary: () => {
        if (++state.attempts <= times) return Promise.reject(new Error('This is not the correct coordinator for this group'));
        state.isCommitted = true;
        return Promise.resolve();
      },
    },
  };
}

test('offsets that Kafka did not accept are committed later, although no further event comes', async () => {
  const { offsets, state } = offsetsFailing(2);
  commits.soon(offsets);
  await eventually(() => state.isCommitted);
  expect(state.attempts).toBe(3);
});

test('offsets that Kafka never accepts, as of a consumer that crashed, do not keep newer ones from being committed', async () => {
  const former = offsetsFailing(Infinity);
  commits.soon(former.offsets);
  await eventually(() => former.state.attempts === 1);
  const { offsets, state } = offsetsFailing(0);
  commits.soon(offsets);
  await eventually(() => state.isCommitted);
  // Nothing is left to retry.
  expect(former.state.attempts).toBe(1);
});

test('a consumer that has left its group commits nothing more', async () => {
  const { offsets, state } = offsetsFailing(1);
  commits.soon(offsets);
  const last = commits.now();
  commits.forget();
  await last;
  commits.soon(offsets);
  await commits.now();
  expect(state).toEqual({ attempts: 1, isCommitted: false });
});
