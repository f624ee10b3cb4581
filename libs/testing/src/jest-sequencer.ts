import type { Test } from '@jest/test-result';
import testSequencer from '@jest/test-sequencer';

// Node's default import of this CommonJS package is the class itself, although its types have it as `default` of that.
const TestSequencer = testSequencer as unknown as typeof testSequencer.default;

/**
 * Runs integration tests, which wait for servers, before unit tests, each by jest's own order. On a machine without earlier times, jest would run small
 * files last, and the workers would wait for the slow ones among them. End-to-end tests come first, with an other test between two of them: so they
 * are all done early, and the processes of the platforms that they share can end.
 */
export default class IntegrationFirst extends TestSequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    const sorted = await super.sort(tests);
    const { endToEnd = [], integration = [], unit = [] } = Object.groupBy(sorted, ({ path }) => kindOf(path));
    const between = integration.slice(0, endToEnd.length);
    return [
      ...endToEnd.flatMap((test, index) => [test, ...between.slice(index, index + 1)]),
      ...integration.slice(between.length),
      ...unit,
    ];
  }
}

function kindOf(path: string): 'endToEnd' | 'integration' | 'unit' {
  if (path.includes('/e2e/test/')) return 'endToEnd';
  return path.includes('/test/') ? 'integration' : 'unit';
}
