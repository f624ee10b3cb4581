import { readFile, writeFile } from 'node:fs/promises';
import { MediaRejected, runFfmpeg, type Tools } from '@fanfare/media-tools';
import { DEMUXERS, inputArguments } from '../probing/recordings/demuxers.ts';
import { probeImage } from '../probing/images/probe-image.ts';
import { probeRecording } from '../probing/recordings/probe-recording.ts';
import type { Made, MakeOrder } from './make.ts';
import { withoutMetadata } from './without-metadata.ts';

/**
 * Copies media without metadata and without encoding them again: an image keeps its pixels, orientation and color profile, a video or audio file its
 * video and audio tracks. Verifies that the copy contains no location data.
 */
export async function withoutLocation(order: MakeOrder, tools: Tools): Promise<Made> {
  const { file, output, source } = order;
  const isImage = source.type === 'image';
  if (isImage) await writeFile(output, withoutMetadata(source.mime_type, await readFile(file), source.facts?.orientation));
  else await copyTracks(order, tools);
  const made = isImage ? await probeImage(output, source.mime_type) : await probeRecording(output, source.mime_type, tools.ffprobe);
  if (made.facts.has_location !== false) throw new MediaRejected('Its location data cannot be removed.');
  if (made.width !== source.width || made.height !== source.height) throw new Error('The image without location data has another size.');
  return {
    mimeType: made.mimeType,
    width: made.width,
    height: made.height,
    ...(made.durationMs !== undefined && { durationMs: made.durationMs }),
  };
}

async function copyTracks({ file, output, source }: MakeOrder, { ffmpeg }: Tools): Promise<void> {
  const tracks = source.type === 'video' ? ['-map', '0:v:0', '-map', '0:a?'] : ['-map', '0:a'];
  const plain = ['-c', 'copy', '-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn'];
  const muxer = MUXERS[source.mime_type] ?? DEMUXERS[source.mime_type] ?? '';
  const faststart = muxer === 'mp4' || muxer === 'mov' ? ['-movflags', '+faststart'] : [];
  await runFfmpeg(ffmpeg, [...inputArguments(file, source.mime_type), ...tracks, ...plain, ...faststart, '-f', muxer, output]);
}

/** Formats whose muxer has another name than the demuxer. */
const MUXERS: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'audio/mp4': 'mp4',
  'video/webm': 'webm',
  'audio/webm': 'webm',
  'audio/aac': 'adts',
};
