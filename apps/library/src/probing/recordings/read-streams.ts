import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Command } from '@fanfare/media-tools';
import { inputArguments } from './demuxers.ts';

/** What ffprobe says, as far as it is used. Numbers come as text. */
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
  /** Such as 4:3. */
  readonly sample_aspect_ratio?: string;
  /** Such as 30000/1001. */
  readonly avg_frame_rate?: string;
  readonly duration?: string;
  readonly disposition?: { readonly attached_pic?: number };
  readonly tags?: Readonly<Record<string, string>>;
  readonly side_data_list?: readonly { readonly rotation?: number | string }[];
}

const TIMEOUT_MS = 15_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** @throws Error when ffprobe cannot read it, takes too long, or has too much to say */
export async function readStreams([program, ...limits]: Command, file: string, mimeType: string): Promise<Streams> {
  const { stdout } = await promisify(execFile)(
    program,
    [...limits, '-v', 'error', '-hide_banner', '-of', 'json', '-show_format', '-show_streams', ...inputArguments(file, mimeType)],
    { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, killSignal: 'SIGKILL' },
  );
  const { format = {}, streams = [] } = JSON.parse(stdout) as Partial<Streams>;
  return { format, streams };
}

/** Whether a picture comes out of the first packets of video, so that what the index points to is one. */
export async function decodesFrame([program, ...limits]: Command, file: string, mimeType: string): Promise<boolean> {
  const first = ['-select_streams', 'v:0', '-read_intervals', '%+#8', '-show_entries', 'frame=pict_type', '-of', 'csv=p=0'];
  const { stdout } = await promisify(execFile)(program, [...limits, '-v', 'quiet', ...first, ...inputArguments(file, mimeType)], {
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
    killSignal: 'SIGKILL',
  });
  return stdout.trim() !== '';
}
