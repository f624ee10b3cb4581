import { eventually, recordLog } from '@fanfare/testing';
import { gauge } from '../src/telemetry/metrics.ts';
import { watchAge, type AgeWatch, type Waiting } from '../src/watch-age.ts';

let measure: () => Promise<Waiting | undefined> = async () => undefined;
let watch: AgeWatch;
const { log } = recordLog();
const METRIC = { name: 'fanfare_test_age_seconds', help: 'For this test.' };

beforeAll(() => {
  watch = watchAge({ name: 'test', metric: METRIC, log, lateAfterMs: 5_000, measure: () => measure() });
});
afterAll(() => watch.stop());

const metric = async () => (await gauge(METRIC.name, METRIC.help).get()).values[0]?.value;

test('reports work that is older than the bound until none is, and measures the rest', async () => {
  measure = async () => ({ what: 'the oldest post has been waiting', ageMs: 4_900 });
  await eventually(async () => (await metric()) === 4.9);
  expect(watch.problem()).toBeUndefined();
  measure = async () => ({ what: 'the oldest post has been waiting', ageMs: 61_000 });
  await eventually(() => watch.problem() === 'the oldest post has been waiting for 61 s');
  measure = async () => undefined;
  await eventually(() => watch.problem() === undefined);
  expect(await metric()).toBe(0);
});

test('reports that nobody knows while it cannot be measured', async () => {
  measure = () => Promise.reject(new Error('the database is unavailable'));
  await eventually(() => watch.problem()?.startsWith('measuring how late it is has not succeeded'), 60_000);
  expect(await metric()).toBeNaN();
  measure = async () => undefined;
  await eventually(() => watch.problem() === undefined, 60_000);
});
