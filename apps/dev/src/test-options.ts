import type { Provider } from '@fanfare/infra';

export interface TestOptions {
  /** Undefined: whichever can be had. */
  readonly provider: Provider | undefined;
  readonly jestArgs: readonly string[];
}

export function parseTestOptions(args: readonly string[]): TestOptions {
  return {
    provider: args.includes('--containers') ? 'docker' : undefined,
    jestArgs: args.filter((arg) => arg !== '--containers'),
  };
}
