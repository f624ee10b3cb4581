import { recordLog } from '@fanfare/testing';
import { keepLeaseAlive } from './keep-lease-alive.ts';

const LEASE_MS = 900;
const A_THIRD_MS = 300;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Renewals that the test answers, one by one. */
function start() {
  const asked: PromiseWithResolvers<boolean>[] = [];
  const renew = () => {
    const next = Promise.withResolvers<boolean>();
    asked.push(next);
    return next.promise;
  };
  const { log, lines } = recordLog();
  return { asked, lines, lease: keepLeaseAlive(renew, LEASE_MS, log) };
}
/** Lets what waits for a settled promise run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

test('one renewal at a time, however long the database takes', async () => {
  const { asked, lease } = start();
  jest.advanceTimersByTime(20 * LEASE_MS);
  expect(asked).toHaveLength(1);
  asked[0]?.resolve(true);
  await settled();
  jest.advanceTimersByTime(A_THIRD_MS);
  expect(asked).toHaveLength(2);
  expect(lease.lost.aborted).toBe(false);
  lease.release();
});

test('a failed renewal is followed by another one', async () => {
  const { asked, lease, lines } = start();
  jest.advanceTimersByTime(A_THIRD_MS);
  asked[0]?.reject(new Error('The database is unavailable.'));
  await settled();
  jest.advanceTimersByTime(A_THIRD_MS);
  expect(asked).toHaveLength(2);
  expect(lines).toMatchObject([{ msg: 'could not renew a lease; retrying' }]);
  lease.release();
});

test('a lost or released lease is not renewed any more', async () => {
  const [lost, released] = [start(), start()];
  released.lease.release();
  jest.advanceTimersByTime(A_THIRD_MS);
  lost.asked[0]?.resolve(false);
  await settled();
  jest.advanceTimersByTime(LEASE_MS);
  expect([lost.asked.length, released.asked.length]).toEqual([1, 0]);
  expect([lost.lease.lost.aborted, released.lease.lost.aborted]).toEqual([true, false]);
});
