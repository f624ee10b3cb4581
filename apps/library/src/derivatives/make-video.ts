import { stat } from 'node:fs/promises';
import { MediaRejected, runFfmpeg, type Tools } from '@fanfare/media-tools';
import { inputArguments } from '../probing/recordings/demuxers.ts';
import { probeRecording } from '../probing/recordings/probe-recording.ts';
import { place, type Placement } from './domain/geometry.ts';
import type { Made, MakeOrder } from './make.ts';
import type { FitRecipe } from './domain/recipe.ts';

/** Constant quality, almost indistinguishable from the source. Applies unless a bound requires a lower bit rate. */
const CRF = '21';
const AUDIO_BITS = 128_000;
const MIN_VIDEO_BITS = 50_000;
/** The part of `max_bytes` that the bit rate may use. The rest is for the container and the inaccuracy of the encoder. */
const BYTES_MARGIN = 0.94;
const MAX_TRIES = 4;
/** The factor by which each further try reduces the bit rate. */
const LESS = 0.8;

/**
 * Converts a video or a GIF to an MP4: H.264 and AAC, upright, within the recipe's bounds, with its index at the start, without metadata.
 * @throws MediaRejected if the bounds cannot be kept
 */
export async function makeVideo(order: MakeOrder, recipe: FitRecipe, tools: Tools): Promise<Made> {
  const { source, output } = order;
  const placement = place(source, recipe, 2);
  if (!placement) throw new MediaRejected('The video cannot be converted to fit these limits.');
  let videoBits = videoBitRate(order, recipe);
  for (let tries = 0; tries < MAX_TRIES && videoBits >= MIN_VIDEO_BITS; tries++) {
    await runFfmpeg(tools.ffmpeg, [
      ...inputArguments(order.file, source.mime_type),
      ...arrange(order, recipe, placement),
      ...encode(videoBits),
      output,
    ]);
    if ((await stat(output)).size <= (recipe.max_bytes ?? Infinity)) {
      const { width, height, durationMs } = await probeRecording(output, 'video/mp4', tools.ffprobe);
      return { mimeType: 'video/mp4', width, height, ...(durationMs !== undefined && { durationMs }) };
    }
    videoBits = (Number.isFinite(videoBits) ? videoBits : await actualBitRate(order)) * LESS;
  }
  throw new MediaRejected('The video cannot be converted to fit these limits.');
}

/** Infinity if no bound limits the bit rate. */
function videoBitRate({ source }: MakeOrder, recipe: FitRecipe): number {
  const seconds = (source.duration_ms ?? 0) / 1000;
  const bySize = recipe.max_bytes === undefined || seconds === 0 ? Infinity : (recipe.max_bytes * 8 * BYTES_MARGIN) / seconds;
  const audioBits = source.facts?.audio_codec === undefined ? 0 : AUDIO_BITS;
  return Math.min(recipe.max_bit_rate ?? Infinity, bySize) - audioBits;
}

const actualBitRate = async ({ output, source }: MakeOrder) =>
  ((await stat(output)).size * 8) / Math.max(0.1, (source.duration_ms ?? 1000) / 1000);

/** The tracks, the size and padding, and the frame rate. ffmpeg applies the rotation by itself. */
function arrange({ source }: MakeOrder, recipe: FitRecipe, { scaled, canvas }: Placement): string[] {
  const background = `0x${(recipe.background ?? '#000000').slice(1)}`;
  const tooFast = recipe.max_frame_rate !== undefined && (source.facts?.frame_rate ?? Infinity) > recipe.max_frame_rate;
  const filters = [
    ...(tooFast ? [`fps=${recipe.max_frame_rate}`] : []),
    `scale=${scaled.width}:${scaled.height}:flags=bicubic`,
    `pad=${canvas.width}:${canvas.height}:(ow-iw)/2:(oh-ih)/2:color=${background}`,
    'setsar=1',
    'format=yuv420p',
  ];
  return ['-map', '0:v:0', '-map', '0:a:0?', '-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn', '-vf', filters.join(',')];
}

function encode(videoBits: number): string[] {
  const cap = Math.floor(videoBits);
  const limit = Number.isFinite(videoBits) ? ['-maxrate', String(cap), '-bufsize', String(cap)] : [];
  const video = ['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-crf', CRF, '-g', '60', ...limit];
  const audio = ['-c:a', 'aac', '-b:a', String(AUDIO_BITS), '-ar', '48000', '-ac', '2'];
  return [...video, ...audio, '-movflags', '+faststart', '-f', 'mp4'];
}
