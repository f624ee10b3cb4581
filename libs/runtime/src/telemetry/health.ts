import { clockWarning } from '../clock.ts';

/** Returns why a part of the process cannot work now, or undefined if it can. */
export type Check = () => string | undefined;

/** What works in this process, and what does not. */
export interface Health {
  /** For what every call needs. While it has a problem, this process should get no calls: another replica may do better. */
  add(name: string, check: Check): void;
  /** For background work: it makes no progress, or is late. The process still serves calls, and without them it would not work faster. */
  addWork(name: string, check: Check): void;
  /** For a part that others do not depend on. */
  addWarning(name: string, check: Check): void;
  /** Name → reason for every part that does not work, background work included. */
  problems(): Record<string, string>;
  /** Only those because of which this process should get no calls. */
  callProblems(): Record<string, string>;
  /** Only those of background work. */
  workProblems(): Record<string, string>;
  /** Problems that operators should fix, although nothing is late. */
  warnings(): Record<string, string>;
}

export function createHealth(): Health {
  const calls = new Map<string, Check>();
  const work = new Map<string, Check>();
  const hints = new Map<string, Check>([['clock', clockWarning]]);
  return {
    add: (name, check) => void calls.set(name, check),
    addWork: (name, check) => void work.set(name, check),
    addWarning: (name, check) => void hints.set(name, check),
    problems: () => ({ ...reasons(calls), ...reasons(work) }),
    callProblems: () => reasons(calls),
    workProblems: () => reasons(work),
    warnings: () => reasons(hints),
  };
}

function reasons(checks: ReadonlyMap<string, Check>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, check] of checks) {
    const reason = check();
    if (reason !== undefined) found[name] = reason;
  }
  return found;
}
