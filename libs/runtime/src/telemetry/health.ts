import { clockWarning } from '../clock.ts';

/** Says why a part of the process cannot do its work now, or undefined when it can. */
export type Check = () => string | undefined;

/** Whether this process should be sent work. */
export interface Health {
  add(name: string, check: Check): void;
  /** Of a part that others do not depend on. */
  addWarning(name: string, check: Check): void;
  /** Name → reason for every part that is not ready. */
  problems(): Record<string, string>;
  /** What operators should know of and mend, though the process can do its work. */
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
