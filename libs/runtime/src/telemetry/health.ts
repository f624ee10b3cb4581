import { clockWarning } from '../clock.ts';

/** Returns why a part of the process cannot work now, or undefined if it can. */
export type Check = () => string | undefined;

/** Whether this process should be sent work. */
export interface Health {
  add(name: string, check: Check): void;
  /** For a part that others do not depend on. */
  addWarning(name: string, check: Check): void;
  /** Name → reason for every part that is not ready. */
  problems(): Record<string, string>;
  /** Problems that operators should fix, although the process can work. */
  warnings(): Record<string, string>;
}

export function createHealth(): Health {
  const checks = new Map<string, Check>();
  const hints = new Map<string, Check>([['clock', clockWarning]]);
  return {
    add: (name, check) => void checks.set(name, check),
    addWarning: (name, check) => void hints.set(name, check),
    problems: () => reasons(checks),
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
