import path from 'node:path';

/** The members of jest's `--json` output that we read. */
export interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  /** Files that could not be run at all. */
  readonly numRuntimeErrorTestSuites: number;
  readonly success: boolean;
  readonly testResults: readonly { readonly name: string; readonly startTime: number; readonly endTime: number }[];
}

/**
 * The last line of every run, and whether the run succeeded: something ran and nothing failed.
 * @param report undefined if jest wrote none, which counts as one failure
 */
export function summarize(report: JestReport | undefined): { line: string; success: boolean } {
  const passed = report?.numPassedTests ?? 0;
  const failed = report ? report.numFailedTests + report.numRuntimeErrorTestSuites : 1;
  const skipped = report ? report.numPendingTests + report.numTodoTests : 0;
  return {
    line: `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    success: report?.success === true && failed === 0 && passed > 0,
  };
}

/** With a test outside of jest. */
export function withOneMore(report: JestReport, hasPassed: boolean): JestReport {
  return {
    ...report,
    numPassedTests: report.numPassedTests + (hasPassed ? 1 : 0),
    numFailedTests: report.numFailedTests + (hasPassed ? 0 : 1),
    success: report.success && hasPassed,
  };
}

const SLOWEST = 10;

/** The slowest files, the slowest first, and the total: for when the tests take too long. */
export function slowest({ testResults }: JestReport, root: string): string[] {
  const took = testResults.map(({ name, startTime, endTime }) => ({ file: path.relative(root, name), ms: endTime - startTime }));
  const totalMs = took.reduce((sum, { ms }) => sum + ms, 0);
  const lines = took
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST)
    .map(({ file, ms }) => `${seconds(ms)}  ${file}`);
  return [...lines, `${seconds(totalMs)}  all ${took.length} test files, one after the other`];
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(7)} s`;
