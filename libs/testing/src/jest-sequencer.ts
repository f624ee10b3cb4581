import type { Test } from '@jest/test-result';
import testSequencer from '@jest/test-sequencer';

// Node's default import of this CommonJS package is the class itself, although its types have it as `default` of that.
const TestSequencer = testSequencer as unknown as typeof testSequencer.default;

/**
 * Spreads end-to-end tests evenly among integration tests: the processes of a platform cost CPU even while they wait, so few of them run at once. Unit
 * tests are short and come last, so that all workers end at about the same time. Each kind is in jest's own order: on a machine without earlier times,
 * jest would otherwise run small files last, and the workers would wait for the slow ones among them.
 */
export default class EndToEndAmongIntegration extends TestSequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    const sorted = await super.sort(tests);
    const { endToEnd = [], integration = [], unit = [] } = Object.groupBy(sorted, ({ path }) => kindOf(path));
    return [...spread(integration, endToEnd), ...unit];
  }
}

/** Both in their order: each of `others` after its share of `tests`. */
function spread(others: readonly Test[], tests: readonly Test[]): Test[] {
  if (tests.length === 0) return [...others];
  const upTo = (count: number) => Math.round((count / tests.length) * others.length);
  return tests.flatMap((test, at) => [test, ...others.slice(upTo(at), upTo(at + 1))]);
}

function kindOf(path: string): 'endToEnd' | 'integration' | 'unit' {
  if (path.includes('/e2e/test/')) return 'endToEnd';
  return path.includes('/test/') ? 'integration' : 'unit';
}
