import { buildApps, startInfra } from '@fanfare/infra';
import { findFfmpeg } from '../find-ffmpeg.ts';
import { onInterruption } from '../interruption.ts';
import { assertPortsFree, choosePorts } from '../ports.ts';
import { takeRunLock } from './run-lock.ts';
import type { RunningServices } from './run-services.ts';
import type { StartOptions } from './start-options.ts';
import { createSteps } from '../steps.ts';
import { dataDir } from '../workspace.ts';

/**
 * Starts everything, shows the demo, and runs until it is stopped or a service ends by itself. Leaves no process behind.
 * @returns the exit code
 */
export async function launch(options: StartOptions): Promise<number> {
  /** In the order of starting; undone backwards. */
  const undo: (() => unknown)[] = [];
  let services: RunningServices | undefined;
  const interruption = onInterruption(() => {
    console.error('Killing all processes.');
    services?.kill();
    process.exit(130); // MongoDB and Kafka are signalled when this process ends.
  });
  const { signal } = interruption;
  const steps = createSteps(signal);

  async function start(): Promise<{ died: Promise<never> }> {
    const ports = choosePorts({ api: options.port, offset: options.portOffset });
    undo.push(takeRunLock(dataDir));
    await assertPortsFree(ports);

    console.log('Starting Fanfare. Press Ctrl-C to stop it.');
    const { fresh, portOffset } = options;
    const infraStarting = steps.run(
      'infrastructure',
      () => startInfra({ dataDir, keepData: true, fresh, portOffset, onProgress: steps.note }),
      ({ how }) => `MongoDB and Kafka (${how})`,
    );
    undo.push(() => infraStarting.then((infra) => infra.stop()).catch(() => {}));
    const [infra] = await Promise.all([infraStarting, steps.run('build', () => buildApps(signal)), findFfmpeg(steps.note)]);

    // Only now the contracts have been generated that this and everything below it imports.
    const { bringUp } = await import('./bring-up.ts');
    return bringUp({ options, ports, infra, steps, signal }, (started) => {
      services = started;
      undo.push(started.stop);
    });
  }

  const up = start();
  const failed = await Promise.race([interruption.requested, up.then(({ died }) => died)]).then(
    () => false,
    (error: unknown) => {
      console.error(`${steps.tookMs.size > 0 ? '\n' : ''}${error instanceof Error ? error.message : String(error)}`);
      return true;
    },
  );
  interruption.giveUp();
  if (undo.length > 1) console.log('\nStopping … (press Ctrl-C again to kill all processes)');
  for (const each of undo.toReversed()) await each();
  if (undo.length > 1) console.log('Fanfare is stopped.');
  return failed ? 1 : 0;
}
