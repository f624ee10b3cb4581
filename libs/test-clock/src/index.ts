export type { ClockedEvents, ClockedWork, WorkLeft } from './clocked-work.ts';
export { startTestClocks, type TestClocks } from './start-test-clocks.ts';
export { createTestClockIndexes, deleteClockOf, putClock } from './store/test-clocks.ts';
