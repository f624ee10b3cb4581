import { summarize, type JestReport } from './test-summary.ts';

const report = (over: Partial<JestReport> = {}): JestReport => ({
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
  success: true,
  ...over,
});

test('tells what passed and failed', () => {
  expect(summarize(report())).toEqual({ line: '3 passed, 0 failed', success: true });
  expect(summarize(report({ numFailedTests: 2, success: false }))).toEqual({ line: '3 passed, 2 failed', success: false });
});

test('names what was skipped, if anything was', () => {
  expect(summarize(report({ numPendingTests: 1, numTodoTests: 1 })).line).toBe('3 passed, 0 failed, 2 skipped');
});

test('counts a file that could not be run as a failure', () => {
  expect(summarize(report({ numRuntimeErrorTestSuites: 1, success: false }))).toEqual({ line: '3 passed, 1 failed', success: false });
});

test('is no success when nothing ran, or when jest left no report', () => {
  expect(summarize(report({ numPassedTests: 0 })).success).toBe(false);
  expect(summarize(undefined)).toEqual({ line: '0 passed, 1 failed', success: false });
});
