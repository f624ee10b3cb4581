import { randomBytes } from 'node:crypto';
import { TEST_RUN } from '@fanfare/testing';
import { startPool } from './pool.ts';

type Pool = Awaited<ReturnType<typeof startPool>>;
/** Jest runs this before all test files, and calls what it returns with `pool-teardown.ts` after them, in one process. */
export const kept = globalThis as { fanfareTestPlatforms?: Pool };

export default async (): Promise<void> => {
  process.env[TEST_RUN] = `t${randomBytes(3).toString('hex')}`;
  kept.fanfareTestPlatforms = await startPool();
};
