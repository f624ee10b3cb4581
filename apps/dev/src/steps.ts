import { performance } from 'node:perf_hooks';

/** The steps to a published post, and how long they took. */
export interface Steps {
  /** Runs a step of the start, and prints when it begins and how it ended. Does not begin if the start was given up. */
  run<T>(name: string, work: () => Promise<T>, summary?: (result: T) => string): Promise<T>;
  /** Prints progress within a step. */
  note(line: string): void;
  /** Milliseconds by step, in order of their end. */
  readonly tookMs: ReadonlyMap<string, number>;
}

export function createSteps(givenUp: AbortSignal, print: (line: string) => void = console.log): Steps {
  const tookMs = new Map<string, number>();
  return {
    tookMs,
    note: (line) => {
      if (!givenUp.aborted) print(`    ${line}`);
    },
    async run(name, work, summary = () => '') {
      givenUp.throwIfAborted();
      print(`  … ${name}`);
      const started = performance.now();
      const result = await work();
      const ms = performance.now() - started;
      tookMs.set(name, ms);
      if (!givenUp.aborted) print(`  ✓ ${[name, seconds(ms), summary(result)].filter(Boolean).join('  ')}`);
      return result;
    },
  };
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
