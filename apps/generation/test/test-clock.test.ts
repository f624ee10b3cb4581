import { eventually } from '@fanfare/testing';
import { startGeneration, type TestGeneration } from './running-generation.ts';

const DAY_HOURS = 24;

let generation: TestGeneration;
beforeAll(async () => {
  generation = await startGeneration();
});
afterAll(() => generation.stop());

test('the monthly quota renews when the clock comes to the next month, and not that of another organization', async () => {
  const [call, other] = [generation.aBusiness(), generation.aBusiness()];
  const limits = { postsPerMonth: 1, creditsPerMonth: 1 };
  const job = await generation.createJob(call, { limits });
  await generation.ended(call, job.id);
  await generation.createJob(other, { limits });
  await expect(generation.createJob(call, { limits })).rejects.toMatchObject({ members: { quota: 'generated_posts_per_month' } });

  await generation.clock.advance(call, 32 * DAY_HOURS);
  const later = await generation.createJob(call, { limits });
  const ended = await generation.ended(call, later.id);
  expect(ended.createdAt?.getTime()).toBeGreaterThan(Date.now() + 31 * DAY_HOURS * 3_600_000);
  expect(ended.updatedAt?.getTime()).toBeGreaterThanOrEqual(ended.createdAt?.getTime() ?? 0);
  await eventually(async () => (await generation.client.getUsage({}, call)).posts === 1);
  await expect(generation.createJob(other, { limits })).rejects.toMatchObject({ members: { quota: 'generated_posts_per_month' } });
});
