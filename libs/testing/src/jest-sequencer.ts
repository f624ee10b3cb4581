import type { Test } from '@jest/test-result';
import testSequencer from '@jest/test-sequencer';

// Node's default import of this CommonJS package is the class itself, although its types have it as `default` of that.
const TestSequencer = testSequencer as unknown as typeof testSequencer.default;

/**
 * Runs unit tests last: they are short, so all workers end at about the same time. Both kinds are in jest's own order: on a machine without earlier times,
 * jest would otherwise run small files last, and the workers would wait for the slow ones among them.
 */
export default class UnitTestsLast extends TestSequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    const { unit = [], others = [] } = Object.groupBy(await super.sort(tests), ({ path }) => (path.includes('/test/') ? 'others' : 'unit'));
    return [...others, ...unit];
  }
}
