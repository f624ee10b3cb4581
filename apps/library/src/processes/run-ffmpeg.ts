import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Two: it leaves a machine of many cores to others, and is no slower on two. */
const THREADS = '2';
const MAX_OUTPUT_BYTES = 256 * 1024;

/**
 * Runs ffmpeg with what every use of it has in common. It has no time limit of its own: the job that it is part of has one, and is killed with it.
 * @throws Error with the last that it said
 */
export async function runFfmpeg(ffmpeg: string, args: readonly string[]): Promise<void> {
  const common = ['-hide_banner', '-nostdin', '-y', '-v', 'error', '-filter_threads', THREADS, '-threads', THREADS];
  try {
    // Options stand before the file that they are for: threads for reading and for writing.
    await promisify(execFile)(ffmpeg, [...common, ...args.slice(0, -1), '-threads', THREADS, ...args.slice(-1)], {
      maxBuffer: MAX_OUTPUT_BYTES,
    });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new Error(`ffmpeg failed: ${(stderr || message).trim().slice(-1_000)}`, { cause: error });
  }
}
