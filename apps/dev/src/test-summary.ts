/** What we read of jest's `--json` output. */
export interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  /** Files that could not be run at all. */
  readonly numRuntimeErrorTestSuites: number;
  readonly success: boolean;
}

/**
 * The line that ends every run, and whether the run was a success: it was if something ran and nothing failed.
 * @param report undefined when jest left none, which counts as one failure
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
