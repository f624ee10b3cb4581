import { buildApps, startInfra } from '@fanfare/infra';
import { onInterruption } from './interruption.ts';
import { runSchemaTest } from './tests/run-schema-test.ts';
import { createSteps } from './steps.ts';
import { dataDir } from './workspace.ts';

const args = process.argv.slice(2);
const inContainers = args.includes('--containers');
const interruption = onInterruption(() => process.exit(130));
const steps = createSteps(interruption.signal);
const infra = await steps.run('infrastructure', () =>
  startInfra({ dataDir, keepData: false, onProgress: steps.note, ...(inContainers && { provider: 'docker' as const }) }),
);
let code = 1;
try {
  await steps.run('build', () => buildApps(interruption.signal));
  const env = { MONGODB_URL: infra.mongoUrl, KAFKA_BROKERS: infra.kafkaBrokers.join(',') };
  code = await runSchemaTest(
    args.filter((arg) => arg !== '--containers'),
    env,
    interruption.signal,
  );
} finally {
  await infra.stop();
}
process.exit(interruption.signal.aborted ? 130 : code);
