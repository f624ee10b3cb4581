import type { Provider } from '@fanfare/infra';

export interface TestOptions {
  /** Undefined: whichever can be had. */
  readonly provider: Provider | undefined;
  readonly help: boolean;
  readonly jestArgs: readonly string[];
}

export const testUsage = `usage: npm test [-- [--containers] [jest arguments]]

Runs every test against a real MongoDB and Kafka of its own, which it starts and throws away.

  --containers   start them by Testcontainers, and fail where no Docker engine answers
  -h, --help     show this

Everything else is handed to jest: npm test -- libs/errors, npm test -- -t 'publishes a post'.`;

export function parseTestOptions(args: readonly string[]): TestOptions {
  const ours = ['--containers', '--help', '-h'];
  return {
    provider: args.includes('--containers') ? 'docker' : undefined,
    help: args.includes('--help') || args.includes('-h'),
    jestArgs: args.filter((arg) => !ours.includes(arg)),
  };
}
