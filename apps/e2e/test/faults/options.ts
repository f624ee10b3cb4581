import { PLATFORMS } from '@fanfare/connectors/platform';

/** `npm run test:faults -- --full`: everything. Otherwise the short form, which runs with all other tests. */
export const isFull = process.env['FAULTS_FULL'] === 'true';

/** `--platform x`: only flows of this platform. */
const only = process.env['FAULTS_PLATFORM'];
export const platforms: readonly string[] = PLATFORMS.filter((platform) => only === undefined || platform === only);

/** `--seed 42`: of random histories; a failure shows it. */
export const seed = Number(process.env['FAULTS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Shows how far a long test is, when it runs alone. */
export function progress(line: string): void {
  if (isFull) process.stderr.write(`  … ${line}\n`);
}
