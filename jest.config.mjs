// One run for everything: unit tests stand beside their source (libs/*/src, apps/*/src), integration tests in apps/*/test and libs/*/test,
// the end-to-end run in apps/e2e. `npm test` starts real MongoDB and Kafka first and hands their addresses over in the environment.

/** Run by `npm run test:faults -- --full`: with a MongoDB and a Kafka of its own, and outages of minutes. */
const ONLY_IN_FULL = ['/faults/under-load', '/faults/restored-archive'];

export default {
  testEnvironment: '<rootDir>/libs/testing/src/jest-environment.ts',
  runtime: '<rootDir>/libs/testing/src/jest-runtime.ts',
  runner: '<rootDir>/libs/testing/src/jest-runner.ts',
  testSequencer: '<rootDir>/libs/testing/src/jest-sequencer.ts',
  // Whole platforms that end-to-end tests share; none is started before a test asks for it.
  globalSetup: '<rootDir>/apps/e2e/src/pool-setup.ts',
  globalTeardown: '<rootDir>/apps/e2e/src/pool-teardown.ts',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/deploy'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...(process.env.FAULTS_FULL === 'true' ? [] : ONLY_IN_FULL)],
  modulePathIgnorePatterns: ['/dist/'],
  transform: {},
  workerIdleMemoryLimit: '1GB',
  // Only a test that hangs takes that long. A short limit would fail others on a busy machine, a longer one delays the report.
  testTimeout: 400_000,
  // Every file's time is shown.
  slowTestThreshold: 0,
};
