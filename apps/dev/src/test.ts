import { buildApps, startInfra } from '@fanfare/infra';
import { findFfmpeg } from './find-ffmpeg.ts';
import { onInterruption } from './interruption.ts';
import { runJest } from './run-jest.ts';
import { createSteps } from './steps.ts';
import { parseTestOptions, type TestOptions } from './test-options.ts';
import { slowest, summarize, type JestReport } from './test-summary.ts';
import { dataDir, workspaceRoot } from './workspace.ts';

const options = parseTestOptions(process.argv.slice(2));
const interruption = onInterruption(() => process.exit(130));
const { line, success } = summarize(
  await runTests(options, interruption.signal).catch((error: unknown) => {
    if (!interruption.signal.aborted) console.error(`\n${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }),
);
if (interruption.signal.aborted) process.exit(130);
// Programs read it: the last line, alone.
process.stdout.write(`${line}\n`, () => process.exit(success ? 0 : 1));

async function runTests({ provider, jestArgs }: TestOptions, signal: AbortSignal): Promise<JestReport | undefined> {
  const steps = createSteps(signal);
  const infraStarting = steps.run(
    'infrastructure',
    () => startInfra({ dataDir, keepData: false, ...(provider && { provider }), onProgress: steps.note }),
    ({ how }) => `MongoDB and Kafka (${how})`,
  );
  // The end-to-end tests, and those that kill processes, run what is built.
  const built = steps.run('build', () => buildApps(signal));
  try {
    const [{ mongoUrl, kafkaBrokers }] = await Promise.all([infraStarting, built, findFfmpeg(steps.note)]);
    signal.throwIfAborted();
    const report = await runJest(jestArgs, { MONGODB_URL: mongoUrl, KAFKA_BROKERS: kafkaBrokers.join(',') }, signal);
    if (report && report.testResults.length > 1) console.log(`\nSlowest test files:\n${slowest(report, workspaceRoot).join('\n')}\n`);
    return report;
  } finally {
    const infra = await infraStarting.catch(() => undefined);
    await infra?.stop();
  }
}
