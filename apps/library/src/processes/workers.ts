import os from 'node:os';
import type { Logger } from '@fanfare/runtime';
import { findLaunchers, findTools } from '@fanfare/media-tools';
import type { Probe } from '../probing/probe-media.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

/** The processes that decode untrusted files. */
export interface Workers {
  /**
   * Probes a file, for a caller that waits.
   * @throws MediaRejected
   */
  probe(file: string): Promise<Probe>;
  /** For background work, with low priority. */
  readonly background: WorkerPool;
  /** A warning if these processes are not confined. For `Health`. */
  readonly warning: string | undefined;
  close(): void;
}

const PROBE_TIMEOUT_MS = 40_000;

/**
 * @param backgroundProcesses the maximum number of background processes
 * @param backgroundPriority their priority, for `os.setPriority`
 * @param mustBeConfined fail if the processes cannot be confined
 * @throws Error if they must be confined and cannot be
 */
export async function createWorkers(options: {
  backgroundProcesses: number;
  backgroundPriority: number;
  path: string;
  mustBeConfined: boolean;
  log: Logger;
}): Promise<Workers> {
  const { backgroundProcesses, backgroundPriority, path, mustBeConfined, log } = options;
  const env = { PATH: path };
  const launchers = await findLaunchers(env);
  const warning = unconfined(launchers.missing);
  if (warning !== undefined && mustBeConfined) throw new Error(`${warning} Permit it, or set DECODERS_UNCONFINED=true.`);
  if (warning !== undefined) log.warn({ missing: launchers.missing }, warning);
  const settings = { tools: await findTools(env, launchers, log), launcher: launchers.worker, env };
  const probing = createWorkerPool({ size: 2, settings: { ...settings, priority: os.constants.priority.PRIORITY_NORMAL }, log });
  const background = createWorkerPool({
    size: backgroundProcesses,
    settings: { ...settings, priority: backgroundPriority },
    log,
  });
  return {
    probe: (file) => probing.run({ kind: 'probe', file }, { timeoutMs: PROBE_TIMEOUT_MS }),
    background,
    warning,
    close() {
      probing.close();
      background.close();
    },
  };
}

const unconfined = (missing: readonly string[]): string | undefined =>
  missing.length === 0
    ? undefined
    : `The processes that decode uploaded files run without ${missing.join(' and without ')}, which this machine does not permit.`;
