import { dropDatabases, TEST_RUN } from '@fanfare/testing';
import { kept } from './pool-setup.ts';

export default async (): Promise<void> => {
  await kept.fanfareTestPlatforms?.stop();
  const { MONGODB_URL, [TEST_RUN]: run } = process.env;
  // The tests' own MongoDB ends with them; a given one stays.
  if (MONGODB_URL && run) await dropDatabases(MONGODB_URL, `fanfare_${run}`);
};
