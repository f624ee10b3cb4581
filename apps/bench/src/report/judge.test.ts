import type { Figures } from '../sections/compare.ts';
import { judge } from './judge.ts';

const figures = (over: Partial<Figures>): Figures => ({
  ...{
    perSecond: 1000,
    p50Ms: 1,
    p95Ms: 2,
    p99Ms: 4,
    cpuMicros: { door: 200, mongod: 100 },
    bytesPerResponse: 1,
    responses: 1,
    drainedMs: 0,
  },
  ...over,
});
const row = { operation: 'GET a post', group: 'reads', concurrency: 16, floor: figures({}) } as const;

test('a read exactly at its targets meets them', () => {
  const ours = figures({ perSecond: 700, p99Ms: 6, cpuMicros: { gateway: 300, content: 100, mongod: 80 } });
  expect(judge({ ...row, ours })).toMatchObject({ rate: { met: true }, p99: { met: true }, cpu: { met: true } });
});

test('each target can be missed by itself', () => {
  expect(judge({ ...row, ours: figures({ perSecond: 699 }) })).toMatchObject({
    rate: { met: false },
    p99: { met: true },
    cpu: { met: true },
  });
  expect(judge({ ...row, ours: figures({ p99Ms: 6.1 }) })).toMatchObject({ rate: { met: true }, p99: { met: false } });
  expect(judge({ ...row, ours: figures({ cpuMicros: { gateway: 481 } }) })).toMatchObject({ rate: { met: true }, cpu: { met: false } });
});

test('a create has lower targets because of its transaction, even lower with a key, and must leave no events behind', () => {
  const create = { ...row, operation: 'POST a draft', group: 'creates' } as const;
  expect(judge({ ...create, ours: figures({ perSecond: 399 }) }).rate.met).toBe(false);
  expect(judge({ ...create, operation: 'POST a draft, with key', ours: figures({ perSecond: 300 }) }).rate.met).toBe(true);
  expect(judge({ ...create, ours: figures({ drainedMs: 1001 }) }).drained?.met).toBe(false);
});

test('without /proc CPU is not judged', () => {
  expect(judge({ ...row, ours: figures({ cpuMicros: {} }) }).cpu).toBeUndefined();
});
