import { spawn } from 'node:child_process';
import { buildApps, startInfra } from '@fanfare/infra';
import { onInterruption } from './interruption.ts';
import { createSteps } from './steps.ts';
import { dataDir, workspaceRoot } from './workspace.ts';

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
  code = await holdAgainstDescription({ MONGODB_URL: infra.mongoUrl, KAFKA_BROKERS: infra.kafkaBrokers.join(',') });
} finally {
  await infra.stop();
}
process.exit(interruption.signal.aborted ? 130 : code);

/** Runs Schemathesis against a platform of its own. */
function holdAgainstDescription(env: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, ['apps/e2e/src/schemathesis/main.ts', ...args.filter((arg) => arg !== '--containers')], {
    cwd: workspaceRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    // It stops its own processes when it is told to, and is told once.
    detached: true,
  });
  interruption.signal.addEventListener(
    'abort',
    () => child.exitCode === null && child.pid !== undefined && process.kill(-child.pid, 'SIGTERM'),
  );
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
