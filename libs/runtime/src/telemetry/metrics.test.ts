import { readGauge, renderMetrics } from './metrics.ts';

const valueOf = async (name: string) => new RegExp(`^${name}(?:\\{.*\\})? (.*)$`, 'm').exec((await renderMetrics()).body)?.[1];

test('a gauge is read for each request', async () => {
  let value = 0;
  readGauge('fanfare_test_read', 'Read.', async () => ++value);
  expect([await valueOf('fanfare_test_read'), await valueOf('fanfare_test_read')]).toEqual(['1', '2']);
});

test('a gauge that cannot be read, or whose database does not respond, is NaN, and the other metrics are returned', async () => {
  readGauge('fanfare_test_failing', 'Fails.', () => Promise.reject(new Error('The database is unavailable.')));
  readGauge('fanfare_test_hanging', 'Hangs.', () => new Promise(() => undefined));
  readGauge('fanfare_test_read', 'Read.', async () => 7);
  expect([await valueOf('fanfare_test_failing'), await valueOf('fanfare_test_hanging'), await valueOf('fanfare_test_read')]).toEqual([
    'Nan',
    'Nan',
    '7',
  ]);
});
