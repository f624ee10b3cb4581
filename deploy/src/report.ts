import { spawnSync } from 'node:child_process';

const problems: string[] = [];

/** Prints a line for a check, and remembers what it found. */
export function report(what: string, found: readonly string[]): void {
  console.log(`${found.length === 0 ? '✓' : '✗'} ${what}`);
  problems.push(...found.map((problem) => `${what}: ${problem}`));
}

/** Runs a program whose exit code is a check. */
export function reportOf(what: string, command: string, args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 << 20 });
  report(what, status === 0 ? [] : [error?.message ?? `${stdout}${stderr}`.trim()]);
}

/** Prints all problems, and sets the exit code. */
export function conclude(): void {
  for (const problem of problems) console.error(`✗ ${problem}`);
  console.log(problems.length === 0 ? 'deploy/: no problems.' : `${problems.length} problems.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
