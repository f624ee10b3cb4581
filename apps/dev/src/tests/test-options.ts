import type { Provider } from '@fanfare/infra';

export interface TestOptions {
  /** Undefined: any that is available. */
  readonly provider: Provider | undefined;
  /** Whether the API is tested against its description at the same time. */
  readonly withSchema: boolean;
  readonly jestArgs: readonly string[];
}

export function parseTestOptions(args: readonly string[]): TestOptions {
  return {
    provider: args.includes('--containers') ? 'docker' : undefined,
    withSchema: args.includes('--with-schema'),
    jestArgs: args.filter((arg) => arg !== '--containers' && arg !== '--with-schema'),
  };
}
