import { PLATFORMS } from '@fanfare/connectors/platform';

/** What `npm run test:faults` runs: arguments for `npm test`, and variables that the tests read. */
export interface FaultTests {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const INTERRUPTED_CALLS = 'apps/e2e/test/faults/interrupted-calls.test.ts';
const ALL = [
  'apps/e2e/test/faults/',
  ...['histories', 'clocks', 'failure-mail'].map((name) => `apps/e2e/test/${name}.test.ts`),
  ...['ambiguous-commits', 'hung-platforms'].map((name) => `apps/publisher/test/deliveries/${name}.test.ts`),
];

/** @throws Error that names the wrong option */
export function parseFaultOptions(given: readonly string[]): FaultTests {
  const env: Record<string, string> = {};
  const args: string[] = [];
  const rest = [...given];
  const valueOf = (name: string, isValid: (value: string) => boolean, what: string): string => {
    const value = rest.shift() ?? '';
    if (!isValid(value)) throw new Error(`${name} needs ${what}.`);
    return value;
  };
  for (let option = rest.shift(); option !== undefined; option = rest.shift()) {
    if (option === '--full') env['FAULTS_FULL'] = 'true';
    else if (option === '--containers') args.push(option);
    else if (option === '--platform') {
      const isPlatform = (value: string) => (PLATFORMS as readonly string[]).includes(value);
      env['FAULTS_PLATFORM'] = valueOf(option, isPlatform, `the name of a platform: ${PLATFORMS.join(', ')}`);
    } else if (option === '--seed') env['FAULTS_SEED'] = valueOf(option, (value) => /^\d{1,10}$/.test(value), 'a number');
    else throw new Error(`There is no option ${option}. See npm run test:faults -- --help.`);
  }
  return { env, args: [...args, ...('FAULTS_PLATFORM' in env ? [INTERRUPTED_CALLS] : ALL)] };
}
