import path from 'node:path';
import { buildApps, startInfra } from '@fanfare/infra';
import { findFfmpeg } from './find-ffmpeg.ts';
import { onInterruption } from './interruption.ts';
import { runJest } from './tests/run-jest.ts';
import { runSchemaTest } from './tests/run-schema-test.ts';
import { createSteps } from './steps.ts';
import { parseTestOptions, type TestOptions } from './tests/test-options.ts';
import { slowest, summarize, withOneMore, type JestReport } from './tests/test-summary.ts';
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

async function runTests({ provider, withSchema, jestArgs }: TestOptions, signal: AbortSignal): Promise<JestReport | undefined> {
  const steps = createSteps(signal);
  const infraStarting = steps.run(
    'infrastructure',
    () => startInfra({ dataDir, keepData: false, ...(provider && { provider }), onProgress: steps.note }),
    ({ how }) => `MongoDB and Kafka (${how})`,
  );
  // The end-to-end tests, and tests that kill processes, run the built services.
  const built = steps.run('build', () => buildApps(signal));
  try {
    const [{ mongoUrl, kafkaBrokers }] = await Promise.all([infraStarting, built, findFfmpeg(steps.note)]);
    signal.throwIfAborted();
    const env = {
      MONGODB_URL: mongoUrl,
      KAFKA_BROKERS: kafkaBrokers.join(','),
      // Tests start the same programs again and again: they share compiled code.
      NODE_COMPILE_CACHE: path.join(workspaceRoot, 'node_modules/.cache/node'),
    };
    const schema = withSchema ? againstDescription(env, signal) : undefined;
    const report = await runJest(jestArgs, env, signal);
    const schemaResult = await schema;
    if (schemaResult) console.log(`\nThe API against its description:\n${schemaResult.output}`);
    if (report && report.testResults.length > 1) console.log(`\nSlowest test files:\n${slowest(report, workspaceRoot).join('\n')}\n`);
    return report && schemaResult ? withOneMore(report, schemaResult.hasPassed) : report;
  } finally {
    const infra = await infraStarting.catch(() => undefined);
    await infra?.stop();
  }
}

/** Its output is shown at the end, because it runs at the same time as the tests, which print too. */
async function againstDescription(env: Record<string, string>, signal: AbortSignal): Promise<{ hasPassed: boolean; output: string }> {
  const pieces: Buffer[] = [];
  const code = await runSchemaTest([], env, signal, (piece) => pieces.push(piece)).catch((error: unknown) => {
    pieces.push(Buffer.from(String(error)));
    return 1;
  });
  return { hasPassed: code === 0, output: Buffer.concat(pieces).toString() };
}
