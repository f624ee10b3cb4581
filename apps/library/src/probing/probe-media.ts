import { stat } from 'node:fs/promises';
import { MediaRejected, type Command } from '@fanfare/media-tools';
import type { Facts } from '../media/domain/facts.ts';
import { probeImage } from './images/probe-image.ts';
import { probeRecording } from './recordings/probe-recording.ts';

/** What the bytes turned out to be. */
export interface Probe {
  readonly type: 'image' | 'video' | 'audio';
  readonly mimeType: string;
  /** Pixels, after orientation; 0 of sound. */
  readonly width: number;
  readonly height: number;
  readonly durationMs?: number;
  readonly facts: Facts;
  /** A data URI; of images only. */
  readonly placeholder?: string;
}

/**
 * Tells what a file holds by its content alone and makes sure that it is whole. Formats are a closed list: nothing that can carry script (SVG,
 * HTML, PDF) is ever served from our host. Decoders may crash or hang on what strangers made: to be called in a process that may die.
 * @param ffprobe the program, for video and sound
 * @throws MediaRejected
 */
export async function probeMedia(file: string, ffprobe: Command): Promise<Probe> {
  const { size } = await stat(file);
  if (size === 0) throw new MediaRejected('The file is empty.');
  const { fileTypeFromFile } = await import('file-type');
  const [found] = (await fileTypeFromFile(file))?.mime.split(';') ?? [];
  const image = IMAGES[found ?? ''];
  if (image !== undefined) return probeImage(file, image);
  const recording = RECORDINGS[found ?? ''];
  if (recording !== undefined) return probeRecording(file, recording, ffprobe);
  throw new MediaRejected(NOT_KEPT, found);
}

const NOT_KEPT =
  'The file is not a JPEG, PNG, GIF or WebP image, an MP4, MOV or WebM video, or MP3, M4A, AAC, WAV, OGG or FLAC audio. Convert other formats, such as HEIC, AVIF and SVG, first.';

/** By what the bytes say: how they are served. */
const IMAGES: Readonly<Record<string, string>> = {
  'image/jpeg': 'image/jpeg',
  'image/png': 'image/png',
  'image/apng': 'image/png',
  'image/gif': 'image/gif',
  'image/webp': 'image/webp',
};

const RECORDINGS: Readonly<Record<string, string>> = {
  'video/mp4': 'video/mp4',
  'video/x-m4v': 'video/mp4',
  'video/quicktime': 'video/quicktime',
  'video/webm': 'video/webm',
  'audio/mp4': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/mpeg': 'audio/mpeg',
  'audio/aac': 'audio/aac',
  'audio/wav': 'audio/wav',
  'audio/ogg': 'audio/ogg',
  'audio/flac': 'audio/flac',
  'audio/x-flac': 'audio/flac',
};
