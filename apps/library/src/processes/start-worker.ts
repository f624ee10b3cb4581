import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from '@fanfare/runtime';
import { MediaRejected } from '@fanfare/media-tools';
import type { Job, Outcome, Results, WorkerSettings } from './job.ts';

export interface Worker {
  /** One at a time. */
  run<J extends Job>(job: J, timeoutMs: number, signal?: AbortSignal): Promise<Results[J['kind']]>;
  isAlive(): boolean;
  /** Ends it and every program that it started. */
  kill(): void;
}

/** A worker died, or was killed because it took too long. Trying again may help. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';
}

/** Beside the bundle, or the source of it. */
const BUNDLE = path.join(import.meta.dirname, 'worker.mjs');
const ENTRY = existsSync(BUNDLE) ? BUNDLE : path.join(import.meta.dirname, '../worker.ts');
const KEPT_STDERR = 2_000;

/**
 * Starts a process that reads what strangers made. It leads a process group, so that it goes together with the programs that it started, and is
 * told no secret: its environment holds nothing but the PATH.
 */
export function startWorker(settings: WorkerSettings, log: Logger): Worker {
  // `fork` runs a program with arguments before those of the process; the launcher becomes the process, under the same number.
  const [program = process.execPath, ...launching] = [...settings.launcher, process.execPath];
  const child = fork(ENTRY, [JSON.stringify(settings)], {
    execPath: program,
    detached: true,
    env: settings.env,
    execArgv: launching,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let alive = true;
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-KEPT_STDERR)));
  child.on('error', (error) => log.error({ err: error }, 'could not start a worker'));
  child.once('exit', (code, signal) => {
    alive = false;
    // Only when it did not end by itself, or left a program behind.
    killGroup(child.pid);
    if (code !== 0 && signal !== 'SIGKILL') log.warn({ code, signal, said }, 'worker ended');
  });
  const kill = () => {
    alive = false;
    killGroup(child.pid);
  };

  return {
    isAlive: () => alive && child.connected,
    kill,
    run(job, timeoutMs, signal) {
      return new Promise((resolve, reject) => {
        const end = (settle: () => void) => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', aborted);
          child.off('message', answered).off('exit', died).off('error', died);
          settle();
        };
        const answered = (outcome: Outcome) => end(() => settleWith(outcome));
        const died = () => end(() => reject(new WorkerLost(`The worker died. ${said}`.trim())));
        const aborted = () => end(() => (kill(), reject(signal?.reason as Error)));
        const timer = setTimeout(
          () => end(() => (kill(), reject(new WorkerLost(`The worker took longer than ${timeoutMs} ms.`)))),
          timeoutMs,
        );
        const settleWith = (outcome: Outcome) => {
          if ('result' in outcome) resolve(outcome.result as never);
          else reject('rejected' in outcome ? new MediaRejected(outcome.rejected) : new Error(outcome.error));
        };
        child.on('message', answered).once('exit', died).once('error', died);
        signal?.addEventListener('abort', aborted);
        child.send(job, (error) => error && died());
      });
    },
  };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone already, all of it.
  }
}
