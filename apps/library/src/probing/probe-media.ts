import { stat } from 'node:fs/promises';
import { MediaRejected, type Command } from '@fanfare/media-tools';
import type { Facts } from '../media/domain/facts.ts';
import { probeImage } from './images/probe-image.ts';
import { probeRecording } from './recordings/probe-recording.ts';

/** What a file is, from its content. */
export interface Probe {
  readonly type: 'image' | 'video' | 'audio';
  readonly mimeType: string;
  /** In pixels, with the orientation applied; 0 for audio. */
  readonly width: number;
  readonly height: number;
  readonly durationMs?: number;
  readonly facts: Facts;
  /** A data URI; only for images. */
  readonly placeholder?: string;
}

/**
 * Detects what a file is by its content, and checks that it is complete. Formats are a closed list, so that nothing that can contain a script (SVG,
 * HTML, PDF) is ever served from our host. Untrusted files may crash or hang decoders: must run in a process that may die.
 * @param ffprobe for video and audio
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

/** The served MIME type by detected type. */
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
