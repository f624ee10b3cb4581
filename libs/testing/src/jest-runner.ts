import jestRunner, { type TestEvents } from 'jest-runner';

// Node's default import of this CommonJS package is the class itself, although its types have it as `default` of that.
const TestRunner = jestRunner as unknown as typeof jestRunner.default;
type TestRunner = jestRunner.default;

/** Each has a platform of some ten processes, which cost CPU even while they wait. This share takes about as long as the other tests. */
const END_TO_END_SHARE = 1 / 4;

/**
 * Runs end-to-end tests in workers of their own, beside those of the other tests. So few platforms run at once, each is used by one file after the other,
 * and none waits, unused, for its next file.
 */
export default class EndToEndBesideOthers extends TestRunner {
  readonly #endToEnd: TestRunner;

  constructor(...[config, context, options]: ConstructorParameters<typeof TestRunner>) {
    super(config, context, options);
    this.#endToEnd = new TestRunner({ ...config, maxWorkers: Math.ceil(config.maxWorkers * END_TO_END_SHARE) }, context, options);
  }

  override async runTests(...[tests, watcher, options]: Parameters<TestRunner['runTests']>): Promise<void> {
    if (options.serial) return super.runTests(tests, watcher, options);
    const { endToEnd = [], others = [] } = Object.groupBy(tests, ({ path }) => (path.includes('/e2e/test/') ? 'endToEnd' : 'others'));
    await Promise.all([
      endToEnd.length > 0 && this.#endToEnd.runTests(endToEnd, watcher, options),
      others.length > 0 && super.runTests(others, watcher, options),
    ]);
  }

  override on<Name extends keyof TestEvents>(name: Name, listener: (data: TestEvents[Name]) => void | Promise<void>): () => void {
    const unsubscribe = [super.on(name, listener), this.#endToEnd.on(name, listener)];
    return () => unsubscribe.forEach((each) => each());
  }
}
