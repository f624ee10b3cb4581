import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Command } from './command.ts';
import { overLimit } from './over-limit.ts';

/** Two: it leaves a machine of many cores to others, and is no slower on two. */
const THREADS = '2';
const MAX_OUTPUT_BYTES = 256 * 1024;

/**
 * Runs ffmpeg with what every use of it has in common. It has no time limit of its own: the job that it is part of has one, and is killed with it.
 * @param signal kills it
 * @throws MediaRefused when it needs more than its limits; Error with the last that it said
 */
export async function runFfmpeg([program, ...limits]: Command, args: readonly string[], signal?: AbortSignal): Promise<void> {
  const common = ['-hide_banner', '-nostdin', '-y', '-v', 'error', '-filter_threads', THREADS, '-threads', THREADS];
  try {
    // Options stand before the file that they are for: threads for reading and for writing.
    await promisify(execFile)(program, [...limits, ...common, ...args.slice(0, -1), '-threads', THREADS, ...args.slice(-1)], {
      maxBuffer: MAX_OUTPUT_BYTES,
      ...(signal && { signal, killSignal: 'SIGKILL' }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    const refused = overLimit(error);
    if (refused) throw refused;
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new Error(`ffmpeg failed: ${(stderr || message).trim().slice(-1_000)}`, { cause: error });
  }
}
