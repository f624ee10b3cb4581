import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Command } from './command.ts';
import { overLimit } from './over-limit.ts';

/** Leaves the other cores of a large machine to other processes. */
const THREADS = '2';
const MAX_OUTPUT_BYTES = 256 * 1024;

/**
 * Runs ffmpeg with the options that all uses share. No timeout of its own: its job has one, and kills it.
 * @param signal kills ffmpeg when aborted
 * @throws MediaRejected if it exceeds its limits; otherwise an Error with the end of its output
 */
export async function runFfmpeg([program, ...limits]: Command, args: readonly string[], signal?: AbortSignal): Promise<void> {
  const common = ['-hide_banner', '-nostdin', '-y', '-v', 'error', '-filter_threads', THREADS, '-threads', THREADS];
  try {
    // ffmpeg applies an option to the file that follows it: one -threads for the input, one for the output.
    await promisify(execFile)(program, [...limits, ...common, ...args.slice(0, -1), '-threads', THREADS, ...args.slice(-1)], {
      maxBuffer: MAX_OUTPUT_BYTES,
      ...(signal && { signal, killSignal: 'SIGKILL' }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    const rejection = overLimit(error);
    if (rejection) throw rejection;
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new Error(`ffmpeg failed: ${(stderr || message).trim().slice(-1_000)}`, { cause: error });
  }
}
