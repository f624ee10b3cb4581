import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { JestEnvironment } from '@jest/environment';

const require = createRequire(import.meta.url);

/**
 * Replaces Jest's module loader by Node itself, which strips the types. Sources and packages are loaded once for all test files of a worker,
 * unchanged, instead of once for each file, transformed to CommonJS in a separate realm. Therefore modules cannot be mocked by path.
 *
 * Implements what jest-runner and jest-circus (30.5) call, and nothing else.
 */
class NativeRuntime {
  constructor(_config: unknown, environment: JestEnvironment) {
    const { moduleMocker: mocker, fakeTimersModern: timers } = environment;
    if (!mocker || !timers) throw new Error('The environment has no mocks or timers.');
    Object.assign(environment.global, {
      jest: {
        fn: mocker.fn.bind(mocker),
        spyOn: mocker.spyOn.bind(mocker),
        restoreAllMocks: () => mocker.restoreAllMocks(),
        useFakeTimers: () => timers.useFakeTimers(),
        useRealTimers: () => timers.useRealTimers(),
        advanceTimersByTime: (ms: number) => timers.advanceTimersByTime(ms),
      },
    });
  }

  unstable_shouldLoadAsEsm = () => true;
  unstable_importModule = (file: string): Promise<unknown> => import(pathToFileURL(file).href);

  /** The test framework, loaded again for each file: it keeps the file's tests and handlers. */
  requireInternalModule(file: string): unknown {
    delete require.cache[require.resolve(file)];
    delete (globalThis as Record<symbol, unknown>)[Symbol.for('EVENT_HANDLERS')];
    return require(file);
  }

  requireModule = (file: string): unknown => require(file);
  getSourceMaps = () => undefined;
  getAllCoverageInfoCopy = () => undefined;
  setGlobalsForRuntime = () => undefined;
  enterTestCode = () => undefined;
  leaveTestCode = () => undefined;
  teardown = () => undefined;
}

// Jest loads it by `require`.
export { NativeRuntime as 'module.exports' };
