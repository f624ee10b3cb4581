import type { Logger } from '@fanfare/runtime';
import type { Job, Results, WorkerSettings } from './job.ts';
import { startWorker, type Worker } from './start-worker.ts';

/** A bounded number of processes that do one job at a time. Whatever a job does to its process, the next job gets a working one. */
export interface WorkerPool {
  readonly size: number;
  /**
   * Runs a job as soon as a process is free.
   * @throws MediaRejected with what the caller of the API is told; WorkerLost when the process died or took too long; the signal's reason
   */
  run<J extends Job>(job: J, options: { timeoutMs: number; signal?: AbortSignal }): Promise<Results[J['kind']]>;
  close(): void;
}

/** A process that has nothing to do gives back its memory after this. */
const IDLE_MS = 60_000;

/** Starts no process before the first job. */
export function createWorkerPool(options: { size: number; settings: WorkerSettings; log: Logger }): WorkerPool {
  const { size, settings, log } = options;
  const idle: { worker: Worker; retire: NodeJS.Timeout }[] = [];
  const waiting: (() => void)[] = [];
  const busy = new Set<Worker>();
  let running = 0;

  const take = async (signal: AbortSignal | undefined): Promise<Worker> => {
    if (running >= size) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    if (signal?.aborted) {
      release();
      throw signal.reason as Error;
    }
    const next = idle.pop();
    clearTimeout(next?.retire);
    return next?.worker.isAlive() ? next.worker : startWorker(settings, log);
  };

  /** A place goes from hand to hand: `running` changes only when nobody waits. */
  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };

  return {
    size,
    async run(job, { timeoutMs, signal }) {
      const worker = await take(signal);
      busy.add(worker);
      try {
        return await worker.run(job, timeoutMs, signal);
      } finally {
        busy.delete(worker);
        if (worker.isAlive()) idle.push({ worker, retire: setTimeout(() => worker.kill(), IDLE_MS).unref() });
        release();
      }
    },
    close() {
      for (const { worker, retire } of idle.splice(0)) {
        clearTimeout(retire);
        worker.kill();
      }
      for (const worker of busy) worker.kill();
    },
  };
}
