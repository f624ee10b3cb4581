import type { Test } from '@jest/test-result';
import testSequencer from '@jest/test-sequencer';

// Node's default import of this CommonJS package is the class itself, although its types have it as `default` of that.
const TestSequencer = testSequencer as unknown as typeof testSequencer.default;

/**
 * Runs integration tests, which wait for servers, before unit tests, each by jest's own order. On a machine without earlier times, jest would run small
 * files last, and the workers would wait for the slow ones among them.
 */
export default class IntegrationFirst extends TestSequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    const sorted = await super.sort(tests);
    const isIntegration = ({ path }: Test) => path.includes('/test/');
    return [...sorted.filter(isIntegration), ...sorted.filter((test) => !isIntegration(test))];
  }
}
