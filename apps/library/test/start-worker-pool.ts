import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findLaunchers } from '@fanfare/media-tools';
import { createLogger, newId } from '@fanfare/runtime';
import type { Made, MakeOrder } from '../src/derivatives/make.ts';
import type { Probe } from '../src/probing/probe-media.ts';
import type { Job, Results } from '../src/processes/job.ts';
import { createWorkerPool } from '../src/processes/worker-pool.ts';
import { tools } from './make-recordings.ts';

/**
 * Decodes files as the library does: in a process of its own. That process may decode only the accepted formats; a test that decoded in its own process
 * would forbid the others to all tests after it.
 */
export async function startWorkerPool() {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'pool-'));
  const env = { PATH: process.env['PATH'] ?? '' };
  const { worker: launcher } = await findLaunchers(env);
  const settings = { tools: await tools, launcher, priority: 0, env };
  const pool = createWorkerPool({ size: 1, settings, log: createLogger('library', 'silent') });
  const run = <J extends Job>(job: J): Promise<Results[J['kind']]> => pool.run(job, { timeoutMs: 240_000 });
  return {
    async probe(bytes: Buffer | string): Promise<Probe> {
      const file = path.join(directory, newId());
      await writeFile(file, bytes);
      return run({ kind: 'probe', file });
    },
    make: (order: MakeOrder): Promise<Made> => run({ kind: 'make', order }),
    async stop(): Promise<void> {
      pool.close();
      await rm(directory, { recursive: true });
    },
  };
}
