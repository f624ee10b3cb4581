import type { Test } from '@jest/test-result';
import testSequencer from '@jest/test-sequencer';

// Node's default import of this CommonJS package is the class itself, although its types have it as `default` of that.
const TestSequencer = testSequencer as unknown as typeof testSequencer.default;

/**
 * End-to-end tests come first, with an other test between two of them: so they are all done early, and the processes of the platforms that they share can
 * end. Then come integration tests, which mostly wait for servers, and evenly among them unit tests, which compute: together they use all of the machine.
 * Each kind is in jest's own order. On a machine without earlier times, jest would run small files last, and the workers would wait for the slow ones among
 * them.
 */
export default class EndToEndFirst extends TestSequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    const sorted = await super.sort(tests);
    const { endToEnd = [], integration = [], unit = [] } = Object.groupBy(sorted, ({ path }) => kindOf(path));
    const between = integration.slice(0, endToEnd.length);
    return [...spread(between, endToEnd), ...spread(unit, integration.slice(between.length))];
  }
}

/** Both in their order: each of `others` after its share of `tests`. */
function spread(others: readonly Test[], tests: readonly Test[]): Test[] {
  const after = (share: number) => Math.round((share / Math.max(1, tests.length)) * others.length);
  return tests.length === 0 ? [...others] : tests.flatMap((test, at) => [test, ...others.slice(after(at), after(at + 1))]);
}

function kindOf(path: string): 'endToEnd' | 'integration' | 'unit' {
  if (path.includes('/e2e/test/')) return 'endToEnd';
  return path.includes('/test/') ? 'integration' : 'unit';
}
