import { slowest, summarize, withOneMore, type JestReport } from './test-summary.ts';

const report = (over: Partial<JestReport> = {}): JestReport => ({
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
  success: true,
  testResults: [],
  ...over,
});

test('says how many passed and failed', () => {
  expect(summarize(report())).toEqual({ line: '3 passed, 0 failed', success: true });
  expect(summarize(report({ numFailedTests: 2, success: false }))).toEqual({ line: '3 passed, 2 failed', success: false });
});

test('says how many were skipped, if any', () => {
  expect(summarize(report({ numPendingTests: 1, numTodoTests: 1 })).line).toBe('3 passed, 0 failed, 2 skipped');
});

test('counts a file that could not be run as a failure', () => {
  expect(summarize(report({ numRuntimeErrorTestSuites: 1, success: false }))).toEqual({ line: '3 passed, 1 failed', success: false });
});

test('is not a success if nothing ran, or if jest wrote no report', () => {
  expect(summarize(report({ numPassedTests: 0 })).success).toBe(false);
  expect(summarize(undefined)).toEqual({ line: '0 passed, 1 failed', success: false });
});

test('counts a test outside of jest', () => {
  expect(summarize(withOneMore(report(), true))).toEqual({ line: '4 passed, 0 failed', success: true });
  expect(summarize(withOneMore(report(), false))).toEqual({ line: '3 passed, 1 failed', success: false });
});

test('names the slowest files, and the total time', () => {
  const took = (file: string, ms: number) => ({ name: `/repo/${file}`, startTime: 1_000, endTime: 1_000 + ms });
  const testResults = [took('a.test.ts', 1_200), took('b.test.ts', 63_450), ...Array.from({ length: 9 }, () => took('c.test.ts', 100))];
  const lines = slowest(report({ testResults }), '/repo');
  expect(lines.slice(0, 2).map((line) => line.trim())).toEqual(['63.5 s  b.test.ts', '1.2 s  a.test.ts']);
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)?.trim()).toBe('65.5 s  all 11 test files, one after the other');
});
