import { createVersionFallback } from './api-version.ts';
import type { PlatformResponse } from './http.ts';

const response = (status: number): PlatformResponse => ({ status, headers: {}, json: undefined, text: '' });

/** A platform with the versions in `active`, which records its requests. */
function platformWith(active: readonly string[], configured?: string) {
  const versions: string[] = [];
  const rejected: [string, string | undefined][] = [];
  const isRejected = ({ status }: PlatformResponse) => status === 426;
  const fallback = createVersionFallback({ header: 'version', version: '202609', isRejected }, configured, (...one) => rejected.push(one));
  const send = async () => {
    const { status } = await fallback(async ({ version = '' }) => {
      versions.push(version);
      return response(active.includes(version) ? 200 : 426);
    });
    return status;
  };
  return { send, versions, rejected };
}

test("the connector's version is sent unless another is configured", async () => {
  const own = platformWith(['202609']);
  const other = platformWith(['202611'], '202611');
  expect([await own.send(), await other.send()]).toEqual([200, 200]);
  expect([own.versions, other.versions]).toEqual([['202609'], ['202611']]);
  expect([...own.rejected, ...other.rejected]).toEqual([]);
});

test('the versions of previous months are tried, also in the previous year, and the accepted one is kept', async () => {
  const { send, versions, rejected } = platformWith(['202512'], '202602');
  expect([await send(), await send()]).toEqual([200, 200]);
  expect(versions).toEqual(['202602', '202601', '202512', '202512']);
  expect(rejected).toEqual([
    ['202602', '202601'],
    ['202601', '202512'],
  ]);
});

test('after three months the rejection is returned, each version is reported once, and the next request starts again', async () => {
  const { send, versions, rejected } = platformWith(['202605']);
  expect([await send(), await send()]).toEqual([426, 426]);
  const tried = ['202609', '202608', '202607', '202606'];
  expect(versions).toEqual([...tried, ...tried]);
  expect(rejected).toEqual(tried.map((version, index) => [version, tried[index + 1]]));
});

test('concurrent requests report a version once', async () => {
  const { send, rejected } = platformWith(['202608']);
  expect(await Promise.all([send(), send()])).toEqual([200, 200]);
  expect(rejected).toEqual([['202609', '202608']]);
});
