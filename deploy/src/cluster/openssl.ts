import { execFileSync } from 'node:child_process';

/** Arguments for a new private key that is not encrypted: nobody is there to type a password. */
export const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'] as const;
/** Longer than any run. */
export const TWO_DAYS = ['-days', '2'] as const;

/** Runs openssl in a folder. @returns what it printed @throws Error with its messages */
export const opensslIn =
  (cwd: string) =>
  (...args: string[]): string =>
    execFileSync('openssl', args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
