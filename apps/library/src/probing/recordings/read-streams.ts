import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Command } from '@fanfare/media-tools';
import { inputArguments } from './demuxers.ts';

/** The part of ffprobe's output that is used. Numbers are strings. */
export interface Streams {
  readonly format: { readonly duration?: string; readonly bit_rate?: string; readonly tags?: Readonly<Record<string, string>> };
  readonly streams: readonly Stream[];
}

export interface Stream {
  readonly codec_type?: string;
  readonly codec_name?: string;
  readonly codec_tag_string?: string;
  readonly width?: number;
  readonly height?: number;
  /** For example 4:3. */
  readonly sample_aspect_ratio?: string;
  /** For example 30000/1001. */
  readonly avg_frame_rate?: string;
  readonly duration?: string;
  readonly disposition?: { readonly attached_pic?: number };
  readonly tags?: Readonly<Record<string, string>>;
  readonly side_data_list?: readonly { readonly rotation?: number | string }[];
}

const TIMEOUT_MS = 15_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** @throws Error if ffprobe cannot read the file, times out, or its output is too long */
export async function readStreams([program, ...limits]: Command, file: string, mimeType: string): Promise<Streams> {
  const { stdout } = await promisify(execFile)(
    program,
    [...limits, '-v', 'error', '-hide_banner', '-of', 'json', '-show_format', '-show_streams', ...inputArguments(file, mimeType)],
    { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, killSignal: 'SIGKILL' },
  );
  const { format = {}, streams = [] } = JSON.parse(stdout) as Partial<Streams>;
  return { format, streams };
}

/** Whether the first video packets decode to a frame, which shows that the index points to video data. */
export async function decodesFrame([program, ...limits]: Command, file: string, mimeType: string): Promise<boolean> {
  const first = ['-select_streams', 'v:0', '-read_intervals', '%+#8', '-show_entries', 'frame=pict_type', '-of', 'csv=p=0'];
  const { stdout } = await promisify(execFile)(program, [...limits, '-v', 'quiet', ...first, ...inputArguments(file, mimeType)], {
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
    killSignal: 'SIGKILL',
  });
  return stdout.trim() !== '';
}
