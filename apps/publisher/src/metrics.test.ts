import { PLATFORMS } from '@fanfare/connectors';
import { deliveriesEnded, tokenRefreshes } from './metrics.ts';

test.each([
  [deliveriesEnded, 'unknown_outcome'],
  [tokenRefreshes, 'token_expired'],
])('what an alert counts is reported for each platform before it happens', async (metric, outcome) => {
  const { values } = await metric.get();
  const known = values.filter(({ labels }) => labels.outcome === outcome);
  expect(known.map(({ labels }) => labels.platform).sort()).toEqual([...PLATFORMS].sort());
});
