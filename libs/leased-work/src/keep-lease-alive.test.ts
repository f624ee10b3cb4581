import { recordLog } from '@fanfare/testing';
import { keepLeaseAlive } from './keep-lease-alive.ts';

const LEASE_MS = 900;
const A_THIRD_MS = 300;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Renewals whose outcome the test decides, one by one. */
function start() {
  const renewals: PromiseWithResolvers<boolean>[] = [];
  const renew = () => {
    const next = Promise.withResolvers<boolean>();
    renewals.push(next);
    return next.promise;
  };
  const { log, lines } = recordLog();
  return { renewals, lines, lease: keepLeaseAlive(renew, LEASE_MS, log) };
}
/** Lets what waits for a settled promise run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

test('one renewal at a time, however long the database takes', async () => {
  const { renewals, lease } = start();
  jest.advanceTimersByTime(20 * LEASE_MS);
  expect(renewals).toHaveLength(1);
  renewals[0]?.resolve(true);
  await settled();
  jest.advanceTimersByTime(A_THIRD_MS);
  expect(renewals).toHaveLength(2);
  expect(lease.lost.aborted).toBe(false);
  lease.release();
});

test('a failed renewal is followed by another one', async () => {
  const { renewals, lease, lines } = start();
  jest.advanceTimersByTime(A_THIRD_MS);
  renewals[0]?.reject(new Error('The database is unavailable.'));
  await settled();
  jest.advanceTimersByTime(A_THIRD_MS);
  expect(renewals).toHaveLength(2);
  expect(lines).toMatchObject([{ msg: 'could not renew a lease; retrying' }]);
  lease.release();
});

test('a lost or released lease is not renewed any more', async () => {
  const [lost, released] = [start(), start()];
  released.lease.release();
  jest.advanceTimersByTime(A_THIRD_MS);
  lost.renewals[0]?.resolve(false);
  await settled();
  jest.advanceTimersByTime(LEASE_MS);
  expect([lost.renewals.length, released.renewals.length]).toEqual([1, 0]);
  expect([lost.lease.lost.aborted, released.lease.lost.aborted]).toEqual([true, false]);
});
