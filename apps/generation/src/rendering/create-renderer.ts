import { existsSync } from 'node:fs';
import path from 'node:path';
import { findLaunchers, findTools } from '@fanfare/media-tools';
import type { Logger } from '@fanfare/runtime';
import { Piscina } from 'piscina';
import { renderSeconds } from '../metrics.ts';
import type { DrawTask } from '../worker.ts';
import { makeClip } from './make-clip.ts';
import { RenderRejected, RenderTooSlow, type Rendered, type Renderer } from './renderer.ts';
import { createTurns } from './turns.ts';

/** Next to the bundle or the source. */
const BUNDLE = path.join(import.meta.dirname, 'worker.mjs');
const ENTRY = existsSync(BUNDLE) ? BUNDLE : path.join(import.meta.dirname, '../worker.ts');

/** Idle threads end, which frees their memory. */
const IDLE_MS = 10_000;

/**
 * @param options.threads maximum number of render threads
 * @param options.queue maximum number of waiting orders
 * @param options.path directories to search for ffmpeg
 * @param options.timeLimitMs time for one page, after which its thread is terminated
 */
export async function createRenderer(options: {
  threads: number;
  queue: number;
  path: string;
  log: Logger;
  timeLimitMs: number;
}): Promise<Renderer> {
  const env = { PATH: options.path };
  const { ffmpeg } = await findTools(env, await findLaunchers(env), options.log);
  const pool = new Piscina<DrawTask, Rendered | { readonly rejected: string }>({
    filename: ENTRY,
    minThreads: 0,
    maxThreads: options.threads,
    idleTimeout: IDLE_MS,
    concurrentTasksPerWorker: 1,
    recordTiming: false,
    // No tracing in threads: it would take 25 MB in each.
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 },
  });

  // In front of the pool, because the time limit starts with the work on an order.
  const turns = createTurns({ atOnce: options.threads, waiting: options.queue });

  const draw = (task: DrawTask, signal: AbortSignal | undefined): Promise<Rendered> =>
    turns.run(task.look.owner, () => drawNow(task, signal), signal);

  async function drawNow(task: DrawTask, signal: AbortSignal | undefined): Promise<Rendered> {
    const tooLong = AbortSignal.timeout(options.timeLimitMs);
    try {
      // Aborting a running task terminates its thread; the pool starts another one for the next task.
      const result = await pool.run(task, { signal: signal ? AbortSignal.any([signal, tooLong]) : tooLong });
      if ('rejected' in result) throw new RenderRejected(result.rejected);
      return result;
    } catch (error) {
      signal?.throwIfAborted();
      if (tooLong.aborted) throw new RenderTooSlow('This page takes too long to render.', { cause: error });
      throw error;
    }
  }
  async function timed<T>(kind: string, work: Promise<T>): Promise<T> {
    const end = renderSeconds.startTimer({ kind });
    try {
      return await work;
    } finally {
      end();
    }
  }

  return {
    page: (order, look, format, { signal, width } = {}) => timed('page', draw({ order, look, format, width }, signal)),
    clip: (order, directory, signal) =>
      timed(
        order.kind,
        makeClip(order, {
          directory,
          ffmpeg,
          signal,
          draw: (page) => draw({ order: page, look: order.look, format: 'png', width: undefined }, signal),
        }),
      ),
    close: () => pool.destroy(),
  };
}
