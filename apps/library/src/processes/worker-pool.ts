import type { Logger } from '@fanfare/runtime';
import type { Job, Results, WorkerSettings } from './job.ts';
import { startWorker, type Worker } from './start-worker.ts';

/** A limited number of processes that run one job each at a time. A dead process is replaced. */
export interface WorkerPool {
  readonly size: number;
  /**
   * Runs a job as soon as a process is free.
   * @throws MediaRejected with the error detail for the client; WorkerLost if the process died or timed out; the reason of the signal
   */
  run<J extends Job>(job: J, options: { timeoutMs: number; signal?: AbortSignal }): Promise<Results[J['kind']]>;
  close(): void;
}

/** An idle process is ended after this time, to free its memory. */
const IDLE_MS = 60_000;

/** Processes are started on demand. */
export function createWorkerPool(options: { size: number; settings: WorkerSettings; log: Logger }): WorkerPool {
  const { size, settings, log } = options;
  const idle: { worker: Worker; retire: NodeJS.Timeout }[] = [];
  const waiting: (() => void)[] = [];
  const busy = new Set<Worker>();
  let running = 0;

  const acquire = async (signal: AbortSignal | undefined): Promise<Worker> => {
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

  /** Passes the slot to the next waiting job; without one, `running` decreases. */
  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };

  return {
    size,
    async run(job, { timeoutMs, signal }) {
      const worker = await acquire(signal);
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
