import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from '@fanfare/runtime';
import { MediaRejected } from '@fanfare/media-tools';
import type { Job, Outcome, Results, WorkerSettings } from './job.ts';

export interface Worker {
  /** Runs a job. Only one at a time. */
  run<J extends Job>(job: J, timeoutMs: number, signal?: AbortSignal): Promise<Results[J['kind']]>;
  isAlive(): boolean;
  /** Kills the worker and all programs that it started. */
  kill(): void;
}

/** A worker died, or was killed because of a timeout. A retry may succeed. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';
}

/** The bundle of the worker beside this bundle, or its source. */
const BUNDLE = path.join(import.meta.dirname, 'worker.mjs');
const ENTRY = existsSync(BUNDLE) ? BUNDLE : path.join(import.meta.dirname, '../worker.ts');
const KEPT_STDERR = 2_000;

/**
 * Starts a process that decodes untrusted files. It leads a process group, so that it is killed together with the programs that it started. It gets no
 * secrets: its environment contains only the PATH.
 */
export function startWorker(settings: WorkerSettings, log: Logger): Worker {
  // The launcher is the program that `fork` runs, with node as its argument. It replaces itself by node, so the process id stays the same.
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
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-KEPT_STDERR)));
  child.on('error', (error) => log.error({ err: error }, 'could not start a worker'));
  child.once('exit', (code, signal) => {
    alive = false;
    // In case it left a program running.
    killGroup(child.pid);
    if (code !== 0 && signal !== 'SIGKILL') log.warn({ code, signal, stderr }, 'worker ended');
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
          signal?.removeEventListener('abort', onAbort);
          child.off('message', onOutcome).off('exit', onDeath).off('error', onDeath);
          settle();
        };
        const onOutcome = (outcome: Outcome) => end(() => settleWith(outcome));
        const onDeath = () => end(() => reject(new WorkerLost(`The worker died. ${stderr}`.trim())));
        const onAbort = () => end(() => (kill(), reject(signal?.reason as Error)));
        const timer = setTimeout(
          () => end(() => (kill(), reject(new WorkerLost(`The worker took longer than ${timeoutMs} ms.`)))),
          timeoutMs,
        );
        const settleWith = (outcome: Outcome) => {
          if ('result' in outcome) resolve(outcome.result as never);
          else reject('rejected' in outcome ? new MediaRejected(outcome.rejected) : new Error(outcome.error));
        };
        child.on('message', onOutcome).once('exit', onDeath).once('error', onDeath);
        signal?.addEventListener('abort', onAbort);
        child.send(job, (error) => error && onDeath());
      });
    },
  };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group has ended already.
  }
}
